"""Sends calls, and repeats them when that is safe and may help."""

from __future__ import annotations

import functools
import http.client
import io
import json
import re
import socket
import ssl
import time
from decimal import Decimal
from email.message import Message
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Type, cast

from .errors import ConnectionFailedError, SluiceError, UnexpectedAnswerError, error_class
from .retry import LONGEST_WAIT_SECONDS, MOST_RETRIES, Timing, is_passing, retry_after_seconds, wait_before
from .route import BaseUrl, Route, read_base_url, target_of

VERSION = "0.1.0"
DEFAULT_TIMEOUT_SECONDS = 30.0
LONGEST_TIMEOUT_SECONDS = 600.0
LARGEST_ANSWER_BYTES = 32 * 1024 * 1024
_CHUNK_BYTES = 64 * 1024


class Answer(NamedTuple):
    """A success, out of its envelope."""

    data: Any
    request_id: str
    pagination: Optional[Dict[str, Any]]
    replayed: bool


class _Received(NamedTuple):
    status: int
    headers: Message
    body: bytes


class Key:
    """An API key that shows itself to no one but the transport."""

    __slots__ = ("_reveal",)

    def __init__(self, text: str) -> None:
        if not isinstance(text, str) or re.fullmatch(r"[\x21-\x7e]+", text) is None:
            raise ValueError("api_key is empty or contains characters that no key has, such as a space or a line break")
        self._reveal: Callable[[], str] = lambda: text

    def clean(self, text: str) -> str:
        return text.replace(self._reveal(), "[API key]")

    def __repr__(self) -> str:
        return "[API key]"

    def __reduce__(self) -> Any:
        raise TypeError("a client cannot be serialised, because its API key must not be written down")


class Transport:
    def __init__(self, base_url: str, api_key: Optional[str], timeout: float, max_retries: int, timing: Timing) -> None:
        self._base: BaseUrl = read_base_url(base_url)
        self._key = None if api_key is None else Key(api_key)
        self._timeout = _timeout(timeout)
        self._max_retries = _retries(max_retries)
        self._timing = timing
        self._tls = ssl.create_default_context() if self._base.scheme == "https" else None

    def send(
        self,
        route: Route,
        subject: Optional[str],
        query: Mapping[str, Any],
        body: Optional[str],
        idempotency_key: Optional[str],
        timeout: Optional[float],
        max_retries: Optional[int],
    ) -> Answer:
        """One call. The same bytes go out on every attempt, or the idempotency key would be refused."""
        if route.needs_key and self._key is None:
            raise ValueError(f"{route.verb} {route.path} needs an API key; pass api_key to Sluice")
        target = target_of(self._base.path, route, subject, query)
        limit = self._timeout if timeout is None else _timeout(timeout)
        retries = self._max_retries if max_retries is None else _retries(max_retries)
        # Only what cannot take effect twice is sent twice.
        if route.verb != "GET" and idempotency_key is None:
            retries = 0
        header_key = idempotency_key if route.idempotency == "header" else None
        wait_left = LONGEST_WAIT_SECONDS
        retry = 0
        while True:
            try:
                return self._read(self._attempt(route, target, body, header_key, limit))
            except SluiceError as error:
                if retry >= retries or not is_passing(error):
                    raise
                wait = wait_before(retry, error, self._timing.random())
                # Retrying earlier than the service asks would only be refused again.
                if wait > wait_left:
                    raise
            wait_left -= wait
            retry += 1
            self._timing.sleep(wait)

    def _attempt(
        self, route: Route, target: str, body: Optional[str], idempotency_key: Optional[str], timeout: float
    ) -> _Received:
        deadline = time.monotonic() + timeout
        connection = self._connection(timeout)
        # Every read ends at the deadline, so that a server which sends a byte now and then cannot hold us up.
        connection.response_class = cast(
            Type[http.client.HTTPResponse], functools.partial(_response_until, deadline)
        )
        try:
            connection.request(
                route.verb,
                target,
                body=None if body is None else body.encode(),
                headers=self._headers(route, body is not None, idempotency_key),
            )
            response = connection.getresponse()
            return _Received(response.status, response.headers, _whole_body(response))
        except (OSError, http.client.HTTPException) as error:
            timed_out = isinstance(error, (socket.timeout, TimeoutError))
            reason = f"no complete answer within {timeout:g} s" if timed_out else _reason(error)
        finally:
            connection.close()
        # Raised out here, so that the original error, whose frames hold the request, is not attached.
        raise ConnectionFailedError(self._clean(f"No answer from {self._base.text}: {reason}"), timed_out)

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        if self._tls is None:
            return http.client.HTTPConnection(self._base.host, self._base.port, timeout=timeout)
        return http.client.HTTPSConnection(self._base.host, self._base.port, timeout=timeout, context=self._tls)

    def _headers(self, route: Route, has_body: bool, idempotency_key: Optional[str]) -> Dict[str, str]:
        headers = {"Accept": "application/json", "User-Agent": f"sluice-python/{VERSION}", "Connection": "close"}
        if has_body:
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        # Operations that need no key do not get it.
        if route.needs_key and self._key is not None:
            headers["X-API-Key"] = self._key._reveal()
        return headers

    def _read(self, received: _Received) -> Answer:
        body = _parsed(received.body)
        meta = _field(body, "meta")
        request_id = _field(meta, "request_id") or received.headers.get("X-Request-Id")
        found = isinstance(request_id, str)
        ok = 200 <= received.status < 300
        if ok and found and isinstance(body, dict) and "data" in body:
            replayed = received.headers.get("Idempotent-Replayed") == "true"
            return Answer(body["data"], str(request_id), _field(meta, "pagination"), replayed)
        error = _field(body, "error")
        code, message, details = (_field(error, name) for name in ("code", "message", "details"))
        named = self._clean(request_id) if isinstance(request_id, str) else None
        retry_after = retry_after_seconds(received.headers.get("Retry-After"), self._timing.now())
        if ok or not isinstance(code, str) or not isinstance(message, str):
            raise UnexpectedAnswerError(
                _oddity(received.status), "unexpected_answer", received.status, [], named, retry_after
            )
        texts = [self._clean(str(detail)) for detail in details] if isinstance(details, list) else []
        kind = error_class(code, received.status)
        raise kind(self._clean(message), self._clean(code), received.status, texts, named, retry_after)

    def _clean(self, text: str) -> str:
        return text if self._key is None else self._key.clean(text)


class _ReadsUntil(io.RawIOBase):
    def __init__(self, sock: socket.socket, deadline: float) -> None:
        super().__init__()
        self._sock = sock
        self._deadline = deadline
        self._file = cast(io.RawIOBase, sock.makefile("rb", buffering=0))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise socket.timeout("timed out")
        self._sock.settimeout(left)
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()


class _SocketUntil:
    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock = sock
        self._deadline = deadline

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_ReadsUntil(self._sock, self._deadline))


def _response_until(deadline: float, sock: socket.socket, *args: Any, **options: Any) -> http.client.HTTPResponse:
    return http.client.HTTPResponse(cast(socket.socket, _SocketUntil(sock, deadline)), *args, **options)


def _whole_body(response: http.client.HTTPResponse) -> bytes:
    declared = response.length
    framed = declared is not None or response.chunked
    chunks: List[bytes] = []
    size = 0
    while True:
        chunk = response.read(_CHUNK_BYTES)
        if chunk == b"":
            break
        chunks.append(chunk)
        size += len(chunk)
        if size > LARGEST_ANSWER_BYTES:
            raise http.client.HTTPException(f"the answer is longer than {LARGEST_ANSWER_BYTES} bytes")
    # `read` with a size does not complain about a body that was cut off.
    if declared is not None and size < declared:
        raise http.client.IncompleteRead(b"", declared - size)
    body = b"".join(chunks)
    # Without a length only the content shows whether the end is missing.
    if not framed and body[:1] in (b"", b"{") and _parsed(body) is None:
        raise http.client.IncompleteRead(body)
    return body


def _reason(error: Exception) -> str:
    if isinstance(error, http.client.IncompleteRead):
        return "the answer was cut off"
    return str(error) or type(error).__name__


# The body stays out: it may be a whole page, and a proxy may repeat parts of the request that must not be printed.
def _oddity(status: int) -> str:
    what = (
        "a redirect, which is not followed because it could carry the API key elsewhere"
        if 300 <= status < 400
        else f"status {status} and a body that is not from Sluice"
    )
    return f"The server answered with {what}. Check that base_url is the URL that ends in /api."


def _parsed(body: bytes) -> Any:
    try:
        # No number becomes a float: amounts are strings, and the numbers of metadata are kept exactly.
        return json.loads(body.decode(), parse_float=Decimal)
    except (ValueError, RecursionError):
        return None


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _timeout(seconds: float) -> float:
    if isinstance(seconds, (int, float)) and 0 < seconds <= LONGEST_TIMEOUT_SECONDS:
        return float(seconds)
    raise ValueError(f"timeout must be a number of seconds above 0, up to {LONGEST_TIMEOUT_SECONDS:g}")


def _retries(count: int) -> int:
    if isinstance(count, int) and 0 <= count <= MOST_RETRIES:
        return count
    raise ValueError(f"max_retries must be an integer from 0 to {MOST_RETRIES}")
