"""Verifies webhooks, signed as Standard Webhooks (https://www.standardwebhooks.com) specify."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
import uuid
from decimal import Decimal
from typing import Any, Dict, Mapping, Optional, Sequence, Union, cast

from .errors import WebhookVerificationError
from .generated.events import EVENTS, WebhookEvent
from .generated.models import Event
from .model import UnknownEvent

TOLERANCE_SECONDS = 5 * 60
_PREFIX = "whsec_"

__all__ = ["sign", "typed", "verify"]


def verify(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: int = TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> WebhookEvent:
    """
    The event of a webhook that was signed with the secret, or one of several, at most `tolerance` seconds ago.
    Raises a WebhookVerificationError for every other. An event that this version does not know is an UnknownEvent.

    body: The raw body as received, unparsed.
    headers: All headers of the request; the names in any case, or as WSGI spells them.
    """
    given = {_header_name(name): value for name, value in headers.items() if isinstance(name, str)}
    event_id, timestamp, signatures = (str(given.get(f"webhook-{part}", "")) for part in ("id", "timestamp", "signature"))
    # A dot in the id would let the same signed bytes be read as another id and time.
    if event_id == "" or "." in event_id or signatures == "":
        raise WebhookVerificationError("The request lacks webhook-id or webhook-signature.")
    if re.fullmatch(r"[0-9]{1,12}", timestamp) is None:
        raise WebhookVerificationError("webhook-timestamp is not a number of seconds.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookVerificationError("The webhook was signed too long ago, or this machine's clock is wrong.")
    raw = body.encode() if isinstance(body, str) else body
    expected = [_signature(each, event_id, timestamp, raw) for each in _secrets(secret)]
    # While a secret rotates there are two signatures, separated by a space. One match is enough.
    offered = [each.encode(errors="replace") for each in signatures.split(" ")]
    if not any([hmac.compare_digest(one, other) for one in expected for other in offered]):
        raise WebhookVerificationError("No signature of the webhook is by this secret.")
    try:
        return _event(json.loads(raw.decode(), parse_float=Decimal))
    except (ValueError, RecursionError):
        raise WebhookVerificationError("The webhook's body is not an event.") from None


def sign(
    body: Union[bytes, str],
    secret: Union[str, Sequence[str]],
    *,
    event_id: Optional[str] = None,
    timestamp: Optional[int] = None,
) -> Dict[str, str]:
    """The headers of a webhook with this body, to test your own receiver."""
    raw = body.encode() if isinstance(body, str) else body
    named = event_id or f"evt_{uuid.uuid4()}"
    seconds = str(int(time.time()) if timestamp is None else timestamp)
    signatures = [_signature(each, named, seconds, raw).decode() for each in _secrets(secret)]
    return {
        "webhook-id": named,
        "webhook-timestamp": seconds,
        "webhook-signature": " ".join(signatures),
    }


def typed(event: Event) -> WebhookEvent:
    """An event of the API as the webhook that carries it, so that one function can handle both."""
    return _event({name: event[name] for name in ("id", "event", "created_at", "environment", "data")})


def _event(raw: Any) -> WebhookEvent:
    if not isinstance(raw, dict) or not isinstance(raw.get("event"), str):
        raise ValueError("not an event")
    kind = EVENTS.get(raw["event"], UnknownEvent)
    # Typed as one of the known ones: a receiver should ignore the names that it does not know.
    return cast(WebhookEvent, kind(raw))


def _header_name(name: str) -> str:
    return re.sub("^http-", "", name.lower().replace("_", "-"))


def _secrets(secret: Union[str, Sequence[str]]) -> Sequence[str]:
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets:
        raise ValueError("pass at least one secret")
    return secrets


def _signature(secret: str, event_id: str, timestamp: str, body: bytes) -> bytes:
    signed = event_id.encode(errors="replace") + b"." + timestamp.encode() + b"." + body
    return b"v1," + base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest())


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len(_PREFIX) :], validate=True) if secret.startswith(_PREFIX) else b""
    except binascii.Error:
        key = b""
    if not 24 <= len(key) <= 64:
        raise ValueError("a webhook secret is whsec_ and 24 to 64 bytes in base64")
    return key
