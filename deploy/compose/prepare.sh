#!/bin/sh
# Run it as root before the first start. It makes the secrets of compose.yaml in ./secrets, and the folder in which Caddy keeps
# its certificates. Run again, it adds what is missing and changes nothing. The folder of secrets is closed to other users of this
# machine; the files in it are readable, because each container has a user of its own.
set -eu
cd "$(dirname "$0")"
umask 022
mkdir -p caddy/data caddy/config
chown -R 10003:10003 caddy
mkdir -p secrets
chmod 700 secrets
cd secrets

keep() {
  cat >"$1.new"
  if [ -e "$1" ]; then rm "$1.new"; else mv "$1.new" "$1"; fi
}
random() {
  openssl rand -hex 32
}

for name in postgres-password owner-password service-password redis-password secret-key wallet-key; do
  random | keep "$name"
done
printf 'postgres://sluice_service:%s@postgres:5432/sluice\n' "$(cat service-password)" | keep database-url
printf 'postgres://sluice:%s@postgres:5432/sluice\n' "$(cat owner-password)" | keep database-owner-url
printf 'redis://:%s@redis:6379\n' "$(cat redis-password)" | keep redis-url
printf 'requirepass %s\nsave ""\nappendonly no\nmaxmemory 128mb\nmaxmemory-policy allkeys-lru\n' \
  "$(cat redis-password)" | keep redis-config
echo "The secrets are in $(pwd). Back up secret-key and wallet-key: without them, webhooks and the wallet cannot be used."
