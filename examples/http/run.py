#!/usr/bin/env python3
# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""Sends every request of .http files in order and prints the answers.

python3 examples/http/run.py examples/http/commweb.http --environment examples/http/http-client.env.json

It reads what README.md beside it lists and no more: a line that it does not know is an error that names the file and the line, because a request
that was sent without it would not be the one in the file. It prints what came back; whether that is right, it does not say.
"""

import argparse
import json
import pathlib
import re
import sys
import typing
import urllib.error
import urllib.request
import xml.etree.ElementTree

METHODS = ("GET", "POST", "PUT")
SEPARATOR = re.compile(r"^###")
COMMENT = re.compile(r"^\s*(#|//)")
NAME = re.compile(r"^\s*(?:#|//)\s*@name\s+(\w+)\s*$")
VARIABLE = re.compile(r"^@([A-Za-z]\w*)\s*=\s*(.*?)\s*$")
REFERENCE = re.compile(r"\{\{(.+?)\}\}")
EARLIER_ANSWER = re.compile(r"^(\w+)\.response\.body\.(.+)$")
JSON_PATH = re.compile(r"^\$((?:\.\w+)+)$")
XML_PATH = re.compile(r"^//\*\[local-name\(\)='(\w+)'\]$")
# What only one of the editors takes: files as bodies, scripts before and after a request, values that the editor makes up.
FOREIGN = re.compile(r"^\s*(<|>|<>|```)\s")


class HTTPFileError(Exception):
    pass


class Request(typing.NamedTuple):
    """One request as it stands in the file: variables are not put in yet."""

    name: str
    method: str
    url: str
    headers: list
    body: str
    line: int


class Exchange(typing.NamedTuple):
    name: str
    method: str
    url: str
    sent: str
    status: int
    headers: object
    body: str

    def json(self):
        return json.loads(self.body)

    def element(self, name):
        """The text of the first element of that name, whatever its namespace."""
        for element in xml.etree.ElementTree.fromstring(self.body.encode()).iter():
            if element.tag.rpartition("}")[2] == name:
                return element.text or ""
        raise KeyError(name)


def parse(text, file="file"):
    """The requests of a file, and its variables: (requests, variables)."""
    requests, variables = [], {}
    blocks, block = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        if SEPARATOR.match(line):
            blocks.append(block)
            block = []
        else:
            block.append((number, line.rstrip()))
    blocks.append(block)
    for block in blocks:
        request = _request(block, variables, file)
        if request is None:
            continue
        if request.name in (known.name for known in requests):
            raise HTTPFileError(f"{file}:{request.line}: there are two requests with the name {request.name}")
        requests.append(request)
    if not requests:
        raise HTTPFileError(f"{file}: there is no request in it")
    return requests, variables


def _request(block, variables, file):
    name, lines = None, []
    for number, line in block:
        if COMMENT.match(line):
            named = NAME.match(line)
            name = named.group(1) if named else name
        elif not lines and not line:
            continue
        elif not lines and line.startswith("@"):
            variable = VARIABLE.match(line)
            if not variable:
                raise HTTPFileError(f"{file}:{number}: a variable is written @name = value")
            if variable.group(1) in variables:
                raise HTTPFileError(f"{file}:{number}: {variable.group(1)} has a value already")
            variables[variable.group(1)] = variable.group(2)
        elif FOREIGN.match(line):
            raise HTTPFileError(f"{file}:{number}: only one editor takes this: {line.strip()}")
        else:
            lines.append((number, line))
    if not lines:
        return None
    number, first = lines.pop(0)
    method, _, url = first.partition(" ")
    if method not in METHODS or not url or " " in url.strip():
        raise HTTPFileError(f"{file}:{number}: a request begins with {', '.join(METHODS)} and an address, without a version behind it")
    if name is None:
        raise HTTPFileError(f"{file}:{number}: the request has no name: # @name NAME")
    headers = []
    while lines and lines[0][1]:
        where, line = lines.pop(0)
        field, colon, value = line.partition(":")
        if not colon or not re.fullmatch(r"[\w-]+", field):
            raise HTTPFileError(f"{file}:{where}: this is no header: {line}")
        headers.append((field, value.strip()))
    body = [line for _, line in lines[1:]]
    # Both editors leave out the empty lines behind a body. AlphaPay's signature covers every byte, so this is more than looks.
    while body and not body[-1]:
        body.pop()
    return Request(name, method, url.strip(), headers, "\n".join(body), number)


class Run:
    """One run of a file: what was answered so far, for the requests that quote it."""

    def __init__(self, variables, environment, timeout=30, context=None):
        both = sorted(set(variables) & set(environment))
        if both:
            # JetBrains' client takes the environment's value then, REST Client the file's.
            raise HTTPFileError(f"in the file and in the environment: {', '.join(both)}")
        self.values = {**environment, **variables}
        self.answers = {}
        self.timeout = timeout
        handlers = [urllib.request.ProxyHandler({})] + ([urllib.request.HTTPSHandler(context=context)] if context else [])
        self.opener = urllib.request.build_opener(*handlers)

    def resolve(self, text, seen=()):
        def value(match):
            reference = match.group(1).strip()
            earlier = EARLIER_ANSWER.match(reference)
            if earlier:
                return self.quote(*earlier.groups())
            if reference in seen:
                raise HTTPFileError(f"{reference} is made of itself")
            if reference not in self.values:
                raise HTTPFileError(f"nothing says what {{{{{reference}}}}} is; was the environment made by environment.py of this folder?")
            return self.resolve(str(self.values[reference]), (*seen, reference))

        return REFERENCE.sub(value, text)

    def quote(self, name, path):
        if name not in self.answers:
            raise HTTPFileError(f"{name} has not been sent yet, so nothing can be taken from its answer")
        answer = self.answers[name]
        try:
            if JSON_PATH.match(path):
                found = answer.json()
                for part in path.split(".")[1:]:
                    found = found[part]
                if isinstance(found, (dict, list)) or found is None:
                    raise KeyError(path)
                return str(found)
            if XML_PATH.match(path):
                return answer.element(XML_PATH.match(path).group(1))
        except (KeyError, TypeError, ValueError, xml.etree.ElementTree.ParseError):
            raise HTTPFileError(f"the answer to {name} has no {path}: {answer.status} {answer.body}") from None
        raise HTTPFileError(f"a path is written $.name.name or //*[local-name()='Name'], not {path}")

    def send(self, request):
        url, body = self.resolve(request.url), self.resolve(request.body)
        message = urllib.request.Request(url, data=body.encode() if body else None, method=request.method)
        for field, value in request.headers:
            message.add_header(field, self.resolve(value))
        try:
            answer = self.opener.open(message, timeout=self.timeout)
        except urllib.error.HTTPError as error:
            # A status of 400 and more is an answer like any other.
            answer = error
        except OSError as error:
            raise HTTPFileError(f"{request.name}: {url} does not answer: {error}") from None
        with answer:
            exchange = Exchange(request.name, request.method, url, body, answer.status, answer.headers, answer.read().decode())
        self.answers[request.name] = exchange
        return exchange


def exchanges(path, environment, **options):
    """Sends the requests of a file in order, and yields each with its answer."""
    requests, variables = parse(pathlib.Path(path).read_text(), path)
    run = Run(variables, environment, **options)
    for request in requests:
        try:
            yield run.send(request)
        except HTTPFileError as error:
            raise HTTPFileError(f"{path}:{request.line}: {error}") from None


def environment(path, name=None):
    """The variables of http-client.env.json; of the only environment in it where none is named."""
    environments = json.loads(pathlib.Path(path).read_text())
    if name is None and len(environments) == 1:
        return next(iter(environments.values()))
    if name not in environments:
        raise HTTPFileError(f"{path} has the environments {', '.join(environments)}: say which one, with --name")
    return environments[name]


def main():
    parser = argparse.ArgumentParser(description="Sends every request of .http files in order and prints the answers.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a .http file")
    parser.add_argument("--environment", metavar="FILE", default=str(pathlib.Path(__file__).parent / "http-client.env.json"),
                        help="the variables, as environment.py writes them; http-client.env.json beside this program if left out")
    parser.add_argument("--name", help="which environment of the file; the only one if left out")
    arguments = parser.parse_args()
    try:
        variables = environment(arguments.environment, arguments.name)
        for file in arguments.files:
            for exchange in exchanges(file, variables):
                print(f"### {pathlib.Path(file).name} {exchange.name}\n{exchange.method} {exchange.url}", flush=True)
                print(f"{exchange.status} {exchange.body.strip()}\n", flush=True)
    except (HTTPFileError, OSError, ValueError) as error:
        sys.exit(f"run.py: {error}")


if __name__ == "__main__":
    main()
