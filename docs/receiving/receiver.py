# Receives Sluice's webhooks. Run it with Python 3.9 or newer:  SLUICE_WEBHOOK_SECRET=whsec_… PORT=3000 python3 receiver.py
import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("SLUICE_WEBHOOK_SECRET", "")
KEY = base64.b64decode(SECRET.removeprefix("whsec_"))
if len(KEY) < 24:
    raise SystemExit("Set SLUICE_WEBHOOK_SECRET to the secret of the endpoint: whsec_…")

TOLERANCE_SECONDS = 5 * 60
MAX_BODY_BYTES = 1024 * 1024


def is_genuine(headers, body):
    """Whether this body was signed with our secret within five minutes of our clock. Pass the raw bytes, unparsed."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if event_id == "" or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = event_id.encode() + b"." + timestamp.encode() + b"." + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    # While a secret is rotated there are two signatures, separated by a space. One match is enough.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(signature, expected) for signature in given)


# Store these in your database, in the transaction that makes the changes for the event.
handled = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch(r"[0-9]{1,9}", length) or int(length) > MAX_BODY_BYTES:
            return self.answer(400)
        body = self.rfile.read(int(length))
        if not is_genuine(self.headers, body):
            return self.answer(400)
        event = json.loads(body)
        # The same event may arrive more than once, always with the same id.
        if event["id"] not in handled:
            handled.add(event["id"])
            print(event["event"], event["id"], flush=True)
        # Respond at once, and do the slow part afterwards.
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
    print("listening on", server.server_port, flush=True)
    server.serve_forever()
