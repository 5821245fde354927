# The full image has what compiles SQLite's module where no ready one can be downloaded.
FROM node:20-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
ENV NODE_ENV=production TSX_DISABLE_CACHE=1 STORE_URL=sqlite:///data/walletbell.sqlite HTTP_PORT=8080
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
COPY commands ./commands
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HTTP_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Run it with --init (compose.yaml does): Node is not made to be process 1.
CMD ["node", "--import", "tsx", "src/main.ts"]
