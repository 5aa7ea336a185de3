# syntax=docker/dockerfile:1
# One image for every role: the service (default), a worker (node dist/workers/ingest.js), the indexer
# (node dist/workers/indexer.js) and the operator's commands (sample-registry). Nothing but /data and /tmp is written to.

FROM node:24-trixie-slim AS build
# better-sqlite3 is compiled where no prebuilt binary can be fetched.
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/install-driver.mjs scripts/
RUN npm ci --include=dev
COPY . .
# Of the SQLite driver what runs, without what it was compiled from.
RUN npm run build && npm prune --omit=dev && rm -rf node_modules/*/deps node_modules/*/build/Release/obj*

# The whole package brings Perl and 170 MB for two programs.
FROM debian:trixie-slim AS postgres-client
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/* \
  && mkdir /client && cp /usr/lib/postgresql/*/bin/pg_dump /usr/lib/postgresql/*/bin/pg_restore /client/

FROM debian:trixie-slim
# For backup and restore: pg_dump must not be older than the server.
RUN apt-get update && apt-get install -y --no-install-recommends libpq5 && rm -rf /var/lib/apt/lists/* /var/cache/apt \
  && groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node
COPY --from=postgres-client /client /usr/local/bin
COPY --from=build /usr/local/bin/node /usr/local/bin/node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/web/dist web/dist
COPY --from=build /app/samples-tsv samples-tsv
COPY --from=build /app/docs docs
# Any user id of the group root may write there, as platforms that choose the id have it.
RUN mkdir /data && chown node:root /data && chmod g=u /data \
  && chmod +x dist/src/cli/main.js && ln -s /app/dist/src/cli/main.js /usr/local/bin/sample-registry
USER node
VOLUME /data
EXPOSE 8080
# Live, not ready: while the database is away the service waits for it and must not be restarted.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}${process.env.BASE_PATH ?? ''}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "dist/src/server.js"]
