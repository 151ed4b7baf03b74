"""What the service answers with."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, ClassVar, Dict, Generic, Iterator, List, Mapping, NamedTuple, Optional, Type, TypeVar

if TYPE_CHECKING:
    from .generated.models import Environment, Pagination


class AnswerInfo(NamedTuple):
    """What the answer said beside its data."""

    request_id: Optional[str]
    replayed: bool


class Model:
    """
    An object of the API. Its fields are attributes, under the names of the API. Fields that this version does not know
    are kept: `invoice["new_field"]`. Amounts are strings: `Decimal(invoice.amount)`.
    """

    __slots__ = ("_raw", "_info")

    _nested: ClassVar[Mapping[str, Type[Model]]] = {}
    _raw: Dict[str, Any]
    _info: AnswerInfo

    def __init__(self, raw: Dict[str, Any], info: AnswerInfo = AnswerInfo(None, False)) -> None:
        object.__setattr__(self, "_raw", raw)
        object.__setattr__(self, "_info", info)

    @property
    def request_id(self) -> Optional[str]:
        """The id of the request that this was answered to; None on objects within another one."""
        return self._info.request_id

    @property
    def replayed(self) -> bool:
        """Whether an earlier request with the same idempotency key created this."""
        return self._info.replayed

    def to_dict(self) -> Dict[str, Any]:
        """All fields as received, in a copy."""
        return copy.deepcopy(self._raw)

    def __getitem__(self, name: str) -> Any:
        value = self._raw[name]
        nested = self._nested.get(name)
        if nested is None:
            return value
        if isinstance(value, list):
            return [nested(each) if isinstance(each, dict) else each for each in value]
        return nested(value) if isinstance(value, dict) else value

    # Not for type checkers, which would accept every misspelt name.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if not name.startswith("_") and name in self._raw:
                return self[name]
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")

        def __setattr__(self, name: str, value: Any) -> None:
            raise AttributeError(f"{type(self).__name__} cannot be changed")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __contains__(self, name: str) -> bool:
        return name in self._raw

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Model) and self._raw == other._raw

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self._raw})

    def __reduce__(self) -> Any:
        return (type(self), (self._raw, self._info))

    def __repr__(self) -> str:
        # Only these: others may be secrets, or the payer's own text.
        shown = (f"{name}={self._raw[name]!r}" for name in ("id", "event", "status") if name in self._raw)
        return f"<{' '.join([type(self).__name__, *shown])}>"


class EventModel(Model):
    """A webhook, as the service sends it."""

    __slots__ = ()

    id: str
    """The same on every attempt: remember it, because the same event may arrive more than once."""
    created_at: str
    environment: Environment


class UnknownEvent(EventModel):
    """A webhook whose event this version does not know. Ignore it: new events may be added."""

    __slots__ = ()


M = TypeVar("M", bound=Model)


class Rows(Generic[M]):
    """A list that comes in one piece."""

    def __init__(self, data: List[M], request_id: Optional[str]) -> None:
        self.data = data
        self.request_id = request_id

    def __iter__(self) -> Iterator[M]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.data)}>"


class Page(Rows[M]):
    """One page of a list."""

    def __init__(self, data: List[M], request_id: Optional[str], pagination: Pagination) -> None:
        super().__init__(data, request_id)
        self.pagination = pagination
