# syntax=docker/dockerfile:1
ARG NODE=node:24-bookworm-slim

# Everything: sources, development packages, DuckDB. `--target build` is an image to retrain in.
FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No install scripts: every package contains its binary, and `prepare` would need the sources.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-fund
COPY . .
RUN npm run build

# The image contains the artifacts: one image is one program and one model, on every node.
FROM build AS artifacts
RUN node bin/vitruvia.js pipeline --artifacts /artifacts

FROM ${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# DuckDB only builds artifacts. It takes a quarter of a gigabyte, and the service never loads it.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-fund \
  && rm -rf node_modules/@duckdb

FROM ${NODE}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 ARTIFACTS_DIR=/artifacts
COPY --from=packages /app/node_modules node_modules
COPY --from=artifacts /artifacts /artifacts
COPY --from=build /app/dist dist
COPY bin bin
# The pages under /docs are made from these documents.
COPY docs docs
COPY package.json CHANGELOG.md ./
# Root owns the files and another user runs the service, so the service cannot change them.
USER node
EXPOSE 3000
# /health, not /ready: a service that waits for Redis must not be restarted.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# No shell, so that SIGTERM and SIGHUP reach the program.
ENTRYPOINT ["node", "bin/vitruvia.js"]
CMD ["serve"]
