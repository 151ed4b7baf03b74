"""Does what the tests ask for, one JSON object a line, through the client."""

import copy
import json
import pickle
import sys
from typing import Any, Callable, Dict, List

from sluice import ApiError, ConnectionFailedError, Model, Page, Rows, Sluice, webhooks
from sluice.retry import Timing


def client_of(ask: Dict[str, Any], waits: List[float]) -> Sluice:
    # Every wait is written down instead of waited for; the chance is the lowest.
    timing = Timing(sleep=waits.append, random=lambda: 0.0, now=lambda: 1_800_000_000.0)
    return Sluice(**ask["client"], timing=timing)


def shown_answer(answer: Any) -> Dict[str, Any]:
    if isinstance(answer, Model):
        return {"data": answer.to_dict(), "request_id": answer.request_id, "replayed": answer.replayed}
    if isinstance(answer, Rows):
        more = answer.pagination.has_more if isinstance(answer, Page) else None
        return {"data": [row.to_dict() for row in answer], "request_id": answer.request_id, "has_more": more}
    return {"data": [row.to_dict() for row in answer]}


def call(ask: Dict[str, Any], waits: List[float]) -> Dict[str, Any]:
    resource, method = ask["method"].split(".")
    subject = [] if ask.get("subject") is None else [ask["subject"]]
    run: Any = getattr(getattr(client_of(ask, waits), resource), method)
    return shown_answer(run(*subject, **ask.get("fields", {}), **ask.get("query", {}), **ask.get("options", {})))


def shown(ask: Dict[str, Any], waits: List[float]) -> Dict[str, Any]:
    """Everything that shows the client's inside."""
    client = client_of(ask, waits)
    texts = [repr(client), str(vars(client)), repr(vars(client.invoices)), repr(vars(client.invoices._transport))]
    writers: List[Callable[[Any], Any]] = [pickle.dumps, json.dumps, copy.deepcopy]
    for write in writers:
        try:
            texts.append(repr(write(client)))
        except TypeError as error:
            texts.append(str(error))
    return {"data": texts}


def verify(ask: Dict[str, Any], waits: List[float]) -> Dict[str, Any]:
    event = webhooks.verify(ask["body"].encode(), ask["headers"], ask["secret"], **ask.get("options", {}))
    return {"data": {"class": type(event).__name__, "event": event.event, "of": type(event.data).__name__}}


def sign(ask: Dict[str, Any], waits: List[float]) -> Dict[str, Any]:
    return {"data": webhooks.sign(ask["body"], ask["secret"], event_id=ask["id"], timestamp=ask["timestamp"])}


def typed(ask: Dict[str, Any], waits: List[float]) -> Dict[str, Any]:
    """The last event of the service as a webhook."""
    event = webhooks.typed(client_of(ask, waits).events.list(limit=1).data[0])
    return {"data": {"class": type(event).__name__, "event": event.event, "of": type(event.data).__name__}}


def fields(ask: Dict[str, Any], waits: List[float]) -> Dict[str, Any]:
    """Reads an invoice by attributes, as code would."""
    invoice = client_of(ask, waits).invoices.get(ask["subject"])
    try:
        invoice.status = "paid"  # type: ignore[misc]
        changed = True
    except AttributeError:
        changed = False
    again = pickle.loads(pickle.dumps(invoice))
    return {
        "data": {
            "status": invoice.status,
            "hashes": [payment.tx_hash for payment in invoice.payments],
            "new_field": invoice["new_field"] if "new_field" in invoice else None,
            "has_unknown": hasattr(invoice, "no_such_field"),
            "changed": changed,
            "same_again": again == invoice and again.request_id == invoice.request_id,
            "shown": repr(invoice),
        }
    }


def shown_error(error: Exception) -> Dict[str, Any]:
    result: Dict[str, Any] = {"class": type(error).__name__, "message": str(error), "cause": repr(error.__cause__)}
    if isinstance(error, ApiError):
        same = pickle.loads(pickle.dumps(error))
        result.update(vars(error), message=str(same))
    if isinstance(error, ConnectionFailedError):
        result["timed_out"] = error.timed_out
    return result


TASKS: Dict[str, Callable[[Dict[str, Any], List[float]], Dict[str, Any]]] = {
    task.__name__: task for task in (call, shown, verify, sign, typed, fields)
}

for line in sys.stdin:
    asked = json.loads(line)
    waited: List[float] = []
    try:
        result = TASKS[asked["do"]](asked, waited)
    except Exception as failure:  # noqa: BLE001 whatever it is, the test compares it
        result = {"error": shown_error(failure)}
    print(json.dumps({**result, "waits": waited}, default=str), flush=True)
