# The image of an agent, from the file of a release:
#   npm run release && docker build -f configs/docker/agent.Dockerfile -t penstock-agent .
# It runs as user 10001 with a read-only root file system, beside an engine that runs by itself.
# Mount the configuration to /etc/penstock. /var/lib/penstock-agent has the key of the agent.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS install
# vLLM's KV events need ZeroMQ, which is native code.
ARG ZEROMQ_VERSION=6.8.0
WORKDIR /opt/penstock-agent
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund zeromq@${ZEROMQ_VERSION}
COPY release/penstock-agent-*.cjs ./penstock-agent.cjs

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Penstock agent" org.opencontainers.image.licenses="Apache-2.0"
COPY --from=install /opt/penstock-agent /opt/penstock-agent
RUN chmod 0755 /opt/penstock-agent/penstock-agent.cjs \
 && ln -s /opt/penstock-agent/penstock-agent.cjs /usr/local/bin/penstock-agent \
 && mkdir -p /etc/penstock /var/lib/penstock-agent \
 && chown 10001:10001 /var/lib/penstock-agent && chmod 0700 /var/lib/penstock-agent
USER 10001:10001
WORKDIR /var/lib/penstock-agent
VOLUME /var/lib/penstock-agent
EXPOSE 9465
# The file replaces its shell by Node, which thus is process 1 and gets SIGTERM.
STOPSIGNAL SIGTERM
ENV PENSTOCK_HEALTH_URL=http://127.0.0.1:9465/readyz
# Fails until an engine serves and a router is joined, and says why: `docker inspect`.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(process.env.PENSTOCK_HEALTH_URL).then(async (answer) => { console.log(await answer.text()); process.exit(answer.ok ? 0 : 1); }, () => process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/penstock-agent"]
CMD ["--config", "/etc/penstock/agent.yaml"]
