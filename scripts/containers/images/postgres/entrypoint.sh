#!/bin/sh
# Makes the cluster of an empty volume for POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB, then is the server.
set -e
mkdir -p /run/postgresql && chown postgres:postgres /run/postgresql "$PGDATA" && chmod 700 "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password && chown postgres /tmp/password
  gosu postgres initdb -U "$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust -E UTF8 --locale=C.UTF-8
  rm /tmp/password
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
  gosu postgres pg_ctl -w start -o "-c listen_addresses=''"
  gosu postgres createdb -U "$POSTGRES_USER" "$POSTGRES_DB"
  gosu postgres pg_ctl -w stop
fi
exec gosu postgres "$@"
