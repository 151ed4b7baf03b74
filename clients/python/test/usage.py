"""Code as a user writes it, for the type checker. It is never run."""

import os
from decimal import Decimal
from typing import Optional

from sluice import ApiError, Invoice, InvoicePaid, Sluice, ValidationError, WebhookEvent, webhooks

sluice = Sluice("http://127.0.0.1:8080/api", os.environ["SLUICE_API_KEY"], timeout=10)

invoice = sluice.invoices.create(amount_fiat="49.90", fiat_currency="EUR", currency="BTC", metadata={"order": 7})
link: Optional[str] = invoice.checkout_url
replayed: bool = invoice.replayed
same: str = sluice.invoices.get(invoice.id, timeout=5, max_retries=0).payments[0].tx_hash

total = sum(Decimal(row.available) for row in sluice.balances.list())
for each in sluice.invoices.all(status="paid"):
    paid_invoice: Invoice = each
more: bool = sluice.payouts.list(limit=5).pagination.has_more

try:
    sluice.payouts.create(currency="BTC", amount="0.1", destination="bc1…")
except ValidationError as error:
    print(error.details)
except ApiError as error:
    print(error.code, error.retry_after)


def handle(event: WebhookEvent) -> None:
    if event.event == "invoice.paid":
        paid: InvoicePaid = event
        amount: str = event.data.amount_paid
    elif event.event == "payout.failed":
        reason: Optional[str] = event.data.failure_reason


handle(webhooks.verify(b"{}", {}, ["whsec_…"]))
for happened in sluice.events.all(after="0"):
    handle(webhooks.typed(happened))
