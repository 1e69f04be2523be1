# The image of a router, from the package of a release:
#   npm run release && docker build -f configs/docker/router.Dockerfile -t penstock-router .
# It runs as user 10001 with a read-only root file system. Mount the configuration to /etc/penstock.
# /var/lib/penstock has the secrets file, and the store if that is SQLite.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS install
WORKDIR /opt/penstock
COPY release/penstock-*.tgz /tmp/
RUN npm install --omit=dev --no-audit --no-fund --no-save /tmp/penstock-[0-9]*.tgz

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Penstock router" org.opencontainers.image.licenses="Apache-2.0"
COPY --from=install /opt/penstock /opt/penstock
RUN ln -s /opt/penstock/node_modules/.bin/penstock /usr/local/bin/penstock \
 && mkdir -p /etc/penstock /var/lib/penstock \
 && chown 10001:10001 /var/lib/penstock && chmod 0700 /var/lib/penstock
USER 10001:10001
WORKDIR /var/lib/penstock
VOLUME /var/lib/penstock
EXPOSE 8080 9464
# `penstock` replaces itself by Node, which thus is process 1 and gets SIGTERM. A stop takes
# `drainGraceMs` and the longest answer: give `docker stop --time` more than the ten seconds of Docker.
STOPSIGNAL SIGTERM
ENV PENSTOCK_HEALTH_URL=http://127.0.0.1:8080/readyz
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(process.env.PENSTOCK_HEALTH_URL).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/penstock"]
CMD ["router", "--config", "/etc/penstock/router.yaml"]
