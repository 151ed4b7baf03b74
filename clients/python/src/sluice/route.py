"""Where a call goes, and what is sent."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, Iterator, Mapping, NamedTuple, Optional
from urllib.parse import quote, urlsplit


class Route(NamedTuple):
    """The route of an operation and its requirements."""

    verb: str
    path: str
    needs_key: bool
    idempotency: Optional[str]
    """Where its idempotency key goes: `body`, `header`, `each` (into each item of its list), or nowhere."""


class BaseUrl(NamedTuple):
    text: str
    scheme: str
    host: str
    port: Optional[int]
    path: str


def read_base_url(text: str) -> BaseUrl:
    """The parts of the base URL; raises a ValueError unless it is a plain http(s) URL."""
    try:
        url = urlsplit(text)
        plain = re.search(r"[\s?#@\\]|[^\x21-\x7e]", text) is None
        if plain and url.scheme in ("http", "https") and url.hostname:
            path = url.path.rstrip("/")
            return BaseUrl(text.rstrip("/"), url.scheme, url.hostname, url.port, path)
    except ValueError:
        pass
    # The text itself stays out of the message: it may contain a password.
    raise ValueError(
        "base_url must be an http or https URL such as https://pay.example.com/api, without user, query or fragment"
    )


def target_of(base_path: str, route: Route, subject: Optional[str], query: Mapping[str, Any]) -> str:
    """Path and query of a call. No value can escape its place in them."""
    path = re.sub(r"\{\w+\}", lambda _: _segment(subject), route.path)
    pairs = [f"{quote(name, safe='')}={quote(_text(value), safe='')}" for name, value in query.items() if value is not None]
    return base_path + path + ("?" + "&".join(pairs) if pairs else "")


def _segment(value: Optional[str]) -> str:
    # Proxies resolve dot segments, so the call would address another resource.
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError("the id must be a string that is neither empty nor consists of dots")
    return quote(value, safe="")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(str(each) for each in value)
    return str(value)


def body_text(body: Mapping[str, Any]) -> str:
    """The body as JSON. Raises a TypeError if an amount is anything but a string."""
    for fields in [body, *_items(body)]:
        for name, value in fields.items():
            if isinstance(value, (float, Decimal)):
                raise TypeError(
                    f"{name} must be a string such as '49.90': floats round, and the API takes no numbers as amounts"
                )
    return _json(body)


def _items(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """What a body has lists of, such as payouts."""
    for value in body.values():
        if isinstance(value, (list, tuple)):
            yield from (item for item in value if isinstance(item, Mapping))


# `json` cannot write the numbers of metadata that were read as Decimal.
def _json(value: Any) -> str:
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise TypeError("a number must be finite")
        return format(value, "f")
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{json.dumps(str(key))}:{_json(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_json, value)) + "]"
    return json.dumps(value, allow_nan=False)
