"""What every resource can do."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Type, TypeVar, Union

from .errors import UnexpectedAnswerError
from .generated.models import Pagination
from .model import AnswerInfo, Model, Page, Rows
from .route import Route, body_text
from .transport import Answer, Transport

__all__ = ["MetadataIn", "Resource", "Route"]

MetadataIn = Mapping[str, Union[str, int, float, Decimal, bool, None]]
LARGEST_PAGE = 100

M = TypeVar("M", bound=Model)


class Resource:
    def __init__(self, base: Union[Resource, Transport]) -> None:
        self._transport: Transport = base._transport if isinstance(base, Resource) else base

    def _call(
        self,
        route: Route,
        *,
        subject: Optional[str] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Answer:
        sent = None if body is None else {name: value for name, value in body.items() if value is not None}
        key = idempotency_key
        if route.idempotency is not None and key is None:
            key = str(uuid.uuid4())
        if route.idempotency == "each" and sent is not None:
            sent = {name: _keyed(value) for name, value in sent.items()}
        if route.idempotency == "body" and sent is not None:
            key = str(sent.setdefault("idempotency_key", key))
        text = None if sent is None else body_text(sent)
        return self._transport.send(route, subject, query or {}, text, key, timeout, max_retries)

    def _one(self, model: Type[M], route: Route, **call: Any) -> M:
        answer = self._call(route, **call)
        if not isinstance(answer.data, dict):
            raise _odd(answer)
        return model(answer.data, AnswerInfo(answer.request_id, answer.replayed))

    def _rows(self, model: Type[M], route: Route, **call: Any) -> Rows[M]:
        answer = self._call(route, **call)
        return Rows(_models(model, answer), answer.request_id)

    def _page(self, model: Type[M], route: Route, **call: Any) -> Page[M]:
        answer = self._call(route, **call)
        if not isinstance(answer.pagination, dict):
            raise _odd(answer)
        return Page(_models(model, answer), answer.request_id, Pagination(answer.pagination))

    def _every(self, model: Type[M], route: Route, query: Mapping[str, Any], **call: Any) -> Iterator[M]:
        """
        Every row, newest first. The next page starts after the cursor of this one, so rows created meanwhile shift nothing,
        and an empty page may be followed by others. In a list without cursors they push the others down, so a page may repeat
        the end of the previous one. Such rows are returned once, as long as fewer rows than a page holds are created between
        two pages.
        """
        offset = _or(query.get("offset"), 0)
        cursor = query.get("cursor")
        seen: List[Any] = []
        while True:
            place: Dict[str, Any] = {"offset": offset} if cursor is None else {"offset": None, "cursor": cursor}
            full = {**query, "limit": _or(query.get("limit"), LARGEST_PAGE), **place}
            page = self._page(model, route, query=full, **call)
            for row in page:
                if row["id"] not in seen:
                    yield row
            following = page.pagination["next_cursor"] if "next_cursor" in page.pagination else None
            if following is not None and following != cursor:
                cursor = following
                continue
            # An empty page that promises more would be requested forever.
            if not page.pagination.has_more or len(page) == 0:
                return
            seen = [row["id"] for row in page]
            offset += len(page)

    def _every_or_after(self, model: Type[M], route: Route, query: Mapping[str, Any], **call: Any) -> Iterator[M]:
        """
        The same; or every row above the position `after`, in ascending order, until none is left for now. The next page
        starts after the last row received, so rows created meanwhile shift nothing.
        """
        after = query.get("after")
        if after is None:
            yield from self._every(model, route, query=query, **call)
            return
        while True:
            full = {**query, "limit": _or(query.get("limit"), LARGEST_PAGE), "after": after}
            page = self._page(model, route, query=full, **call)
            yield from page
            # A page that makes no progress would be requested forever.
            if not page.pagination.has_more or len(page) == 0 or page.data[-1]["position"] == after:
                return
            after = page.data[-1]["position"]


def _keyed(value: Any) -> Any:
    """The items of a list, each with an idempotency key."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        return value
    return [_with_key(item) if isinstance(item, Mapping) else item for item in value]


def _with_key(item: Mapping[str, Any]) -> Dict[str, Any]:
    sent = {name: value for name, value in item.items() if value is not None}
    return {"idempotency_key": str(uuid.uuid4()), **sent}


def _or(value: Optional[int], default: int) -> int:
    return default if value is None else value


def _models(model: Type[M], answer: Answer) -> List[M]:
    if not isinstance(answer.data, list) or not all(isinstance(row, dict) for row in answer.data):
        raise _odd(answer)
    rows: List[Dict[str, Any]] = answer.data
    return [model(row) for row in rows]


def _odd(answer: Answer) -> UnexpectedAnswerError:
    return UnexpectedAnswerError(
        "The service answered with data of another shape.", "unexpected_answer", 200, [], answer.request_id
    )
