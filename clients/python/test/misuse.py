"""Mistakes that the type checker must find: one in each line below the import."""

from sluice import Sluice, WebhookEvent

sluice = Sluice("http://127.0.0.1:8080/api")
sluice.invoices.create(currency="BTC", amount=0.01)  # mistake
sluice.invoices.create(currency="BTC", amuont="0.01")  # mistake
sluice.payouts.create(currency="BTC")  # mistake
print(sluice.invoices.get("a").checkout)  # mistake
print(sluice.invoices.get("a").status == "payed")  # mistake
sluice.webhook_endpoints.create(url="https://a.example", events=["invoice.payed"])  # mistake


def handle(event: WebhookEvent) -> None:
    if event.event == "invoice.paid":
        print(event.data.destination)  # mistake
