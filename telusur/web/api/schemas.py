"""Python types as JSON Schema, so that the documentation cannot differ from the code."""

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

Schema = dict[str, Any]

_PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}


def schema_of(kind: Any, components: dict[str, Schema]) -> Schema:
    """Return the schema of a type; records are described once, in `components`."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    kind = getattr(kind, "__supertype__", kind)  # a NewType is its own kind of text
    if isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields")):
        return _refer(kind, components)
    if isinstance(kind, type) and issubclass(kind, str):
        return _PLAIN[str]
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (types.UnionType, Union):
        return {"anyOf": [schema_of(part, components) for part in parts]}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(parts[1], components)}
    if origin is tuple and parts[-1] is not Ellipsis:
        schemas = [schema_of(part, components) for part in parts]
        return {"type": "array", "prefixItems": schemas, "minItems": len(parts)}
    assert origin in (tuple, list), f"no JSON for {kind}"
    return {"type": "array", "items": schema_of(parts[0], components)}


def object_of(properties: dict[str, Any], components: dict[str, Schema]) -> Schema:
    """Return the schema of an object that has all these names."""
    described = {name: schema_of(kind, components) for name, kind in properties.items()}
    return {"type": "object", "properties": described, "required": list(described)}


def _refer(record: type, components: dict[str, Schema]) -> Schema:
    name = record.__name__
    if name not in components:
        components[name] = {}  # a record may contain records of its own type
        hints = get_type_hints(record)
        names = [each.name for each in fields(record)] if is_dataclass(record) else hints
        named = {each: hints[each] for each in names}
        components[name] = object_of(named, components)
    return {"$ref": f"#/components/schemas/{name}"}
