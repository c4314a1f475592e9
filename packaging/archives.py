# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
"""Archives whose bytes depend on what is in them alone: names in order, no owner's name, one time for all."""

import gzip
import io
import os
import tarfile


def compressed(data):
    output = io.BytesIO()
    with gzip.GzipFile(fileobj=output, mode="wb", mtime=0, compresslevel=9) as file:
        file.write(data)
    return output.getvalue()


def tar(root, epoch, prefix="", owners=None):
    """The bytes of a tar archive of a folder.

    owners: {"var/lib/pomona": (uid, gid)} for what does not belong to root.
    """
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for folder, folders, files in os.walk(root):
            folders.sort()
            links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            for name in ["", *sorted(files + links)]:
                path = os.path.join(folder, name) if name else folder
                relative = os.path.relpath(path, root)
                shown = prefix if relative == "." else os.path.join(prefix, relative)
                if not shown:
                    continue
                info = archive.gettarinfo(path, arcname=shown)
                if info.issym():
                    info.mode = 0o777
                info.uid, info.gid = (owners or {}).get(relative, (0, 0))
                info.uname = info.gname = ""
                info.mtime = epoch
                if info.isreg():
                    # A second name of the same file is written as a file.
                    info.type, info.linkname = tarfile.REGTYPE, ""
                    info.size = os.stat(path).st_size
                    with open(path, "rb") as file:
                        archive.addfile(info, file)
                else:
                    archive.addfile(info)
    return output.getvalue()
