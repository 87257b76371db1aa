"""The page at /docs: the OpenAPI description as plain HTML, with nothing to fetch from elsewhere."""

from collections.abc import Mapping
from html import escape
from typing import Any

Schema = Mapping[str, Any]
HEAD = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>nardzero: the HTTP API</title>
<link rel="stylesheet" href="/static/docs.css">
"""


def docs_page(api: Schema) -> str:
    """The HTML of an OpenAPI description."""
    info = api["info"]
    sections = [
        _operation(path, method, operation, api)
        for path, methods in api["paths"].items()
        for method, operation in methods.items()
    ]
    title = f"<h1>{escape(info['title'])} {escape(info['version'])}: the HTTP API</h1>"
    said = f"<p>{_code(info['description'])}</p>"
    same = '<p>The same for programs: <a href="/openapi.json">openapi.json</a>.</p>'
    return "\n".join([HEAD, title, said, same, *sections, "</html>"])


def _operation(path: str, method: str, operation: Schema, api: Schema) -> str:
    heading = (
        f"<h2><b>{method.upper()}</b> {escape(path)}</h2>\n<p>{_code(operation.get('description', ''))}</p>"
    )
    asked = _content(operation.get("requestBody", {}))
    told = next((_content(answer) for status, answer in operation["responses"].items() if status < "3"), None)
    tables = [
        f"<h3>{title}</h3>\n{_fields(schema, api)}"
        for title, schema in (("body", asked), ("answer", told))
        if schema and _resolved(schema, api).get("properties")
    ]
    return "\n".join([heading, *tables])


def _content(part: Schema) -> Schema | None:
    """The schema of the JSON of a request or a response."""
    schema: Schema | None = part.get("content", {}).get("application/json", {}).get("schema")
    return schema


def _resolved(schema: Schema, api: Schema) -> Schema:
    """The object that a schema refers to, or one of several, whatever is not null."""
    for choice in schema.get("anyOf", ()):
        if choice.get("type") != "null":
            return _resolved(choice, api)
    if "$ref" not in schema:
        return schema
    name = schema["$ref"].rpartition("/")[2]
    found: Schema = api["components"]["schemas"][name]
    return found


def _fields(schema: Schema, api: Schema) -> str:
    found = _resolved(schema, api)
    required = found.get("required", ())
    rows = [
        f"<tr><td><code>{escape(name)}</code><td>{escape(_kind(field, api))}"
        f"<td>{_default(name, field, required)}<td>{_code(field.get('description', ''))}"
        for name, field in found["properties"].items()
    ]
    return "\n".join(["<table>", *rows, "</table>"])


def _kind(field: Schema, api: Schema) -> str:
    if "enum" in field:
        return " | ".join(map(str, field["enum"]))
    if "anyOf" in field:
        return " | ".join(_kind(choice, api) for choice in field["anyOf"])
    if "$ref" in field:
        return str(_resolved(field, api).get("title", "object"))
    kind = str(field.get("type", "any"))
    if kind == "array" and "items" in field:
        return f"list of {_kind(field['items'], api)}"
    low, high = field.get("minimum"), field.get("maximum")
    return kind if low is None or high is None else f"{kind} {low}–{high}"


def _default(name: str, field: Schema, required: object) -> str:
    if isinstance(required, list) and name in required:
        return "required"
    return f"default {escape(str(field['default']))}" if field.get("default") is not None else ""


def _code(text: str) -> str:
    """Escaped text with what stands in backticks as code."""
    parts = escape(text, quote=False).split("`")
    return "".join(f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts))
