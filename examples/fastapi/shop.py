import logging
import os
import sqlite3
import uuid
from contextlib import closing

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from sluice import Sluice, SluiceError, WebhookVerificationError, webhooks

SHOP_URL = os.environ.get("SHOP_URL", "http://127.0.0.1:8000")
WEBHOOK_SECRET = os.environ["SLUICE_WEBHOOK_SECRET"]
DATABASE = os.environ.get("DATABASE", "shop.db")

sluice = Sluice(os.environ.get("SLUICE_URL", "http://127.0.0.1:8080/api"), os.environ["SLUICE_API_KEY"])
app = FastAPI()


def connect():
    return closing(sqlite3.connect(DATABASE, isolation_level=None))


with connect() as database:
    database.executescript("""
        create table if not exists orders (id text primary key, status text not null default 'open', invoice_id text unique);
        create table if not exists handled_events (id text primary key);
    """)


@app.get("/", response_class=HTMLResponse)
def home():
    return '<h1>Mug, $49.90</h1><form method="post" action="/orders"><button>Buy</button></form>'


@app.post("/orders")
def create_order():
    order_id = str(uuid.uuid4())
    with connect() as database:
        database.execute("insert into orders (id) values (?)", [order_id])
        invoice = sluice.invoices.create(
            amount_fiat="49.90",
            fiat_currency="USD",
            external_id=order_id,
            idempotency_key=order_id,  # sent twice, it is still one invoice
            redirect_url=f"{SHOP_URL}/orders/{order_id}",
        )
        database.execute("update orders set invoice_id = ? where id = ?", [invoice.id, order_id])
    return RedirectResponse(invoice.checkout_url, status_code=303)


@app.exception_handler(SluiceError)
def unavailable(request: Request, error: SluiceError):
    """Sluice was not reachable or refused."""
    logging.error("Sluice: %s", error)
    return PlainTextResponse("That did not work. Please try again in a minute.", status_code=503)


@app.get("/orders/{order_id}", response_class=HTMLResponse)
def show_order(order_id: str):
    with connect() as database:
        row = database.execute("select status from orders where id = ?", [order_id]).fetchone()
    if row is None:
        raise HTTPException(404, "No such order")
    return f"<h1>Your order is {row[0]}</h1>"


@app.post("/webhooks/sluice", status_code=204)
async def receive(request: Request):
    # The signature covers the bytes as they were sent, so nothing may parse them before.
    body = await request.body()
    try:
        event = webhooks.verify(body, request.headers, WEBHOOK_SECRET)
    except WebhookVerificationError as error:
        raise HTTPException(400, str(error))
    if event.event == "invoice.paid":
        order_id = await run_in_threadpool(pay_once, event.id, event.data.id)
        # A process can end right here: what ships takes its work from the orders that are paid.
        if order_id is not None:
            print("ship", order_id, flush=True)
    return Response(status_code=204)


def pay_once(event_id, invoice_id):
    """Marks the order of a paid invoice, once however often the event arrives. Returns the order that is to be shipped now."""
    with connect() as database:
        database.execute("begin immediate")
        is_new = database.execute("insert or ignore into handled_events values (?)", [event_id]).rowcount == 1
        row = None
        if is_new:
            row = database.execute(
                "update orders set status = 'paid' where invoice_id = ? and status = 'open' returning id", [invoice_id]
            ).fetchone()
        database.execute("commit")
    return None if row is None else row[0]
