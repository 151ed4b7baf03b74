# Two images: `--target sluice` runs the API, the worker and every command, `--target signer` the signer alone.
# Both hold Node, its libraries and Sluice: no shell, no package manager, nothing that was needed to build them.
# Run them with a read-only root; deploy/compose and deploy/helm show how. Why it is built this way: docs/decisions/0039.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY web/package.json web/
COPY sdk/package.json sdk/
# Without development tools and without install scripts, as .npmrc says. esbuild and Svelte build the pages.
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/release/images.ts /images && mkdir /data

FROM scratch AS signer
COPY --from=build /images/signer/ /
COPY --from=build --chown=10002:10002 --chmod=0700 /data /var/lib/sluice
ENV NODE_ENV=production SLUICE_DATA_DIR=/var/lib/sluice
USER 10002:10002
WORKDIR /var/lib/sluice
VOLUME /var/lib/sluice
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["/usr/local/bin/node", "/opt/sluice/server/bin/health.mjs"]
ENTRYPOINT ["/usr/local/bin/node", "/opt/sluice/server/bin/sluice.mjs"]
CMD ["start", "--role", "signer"]

# Last, so that a build without a target makes the service.
FROM scratch AS sluice
COPY --from=build /images/sluice/ /
ENV NODE_ENV=production HOST=0.0.0.0 SLUICE_DATA_DIR=/var/lib/sluice
USER 10001:10001
WORKDIR /var/lib/sluice
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["/usr/local/bin/node", "/opt/sluice/server/bin/health.mjs"]
ENTRYPOINT ["/usr/local/bin/node", "/opt/sluice/server/bin/sluice.mjs"]
CMD ["start", "--role", "api"]
