# To pin an image by its content as well, write its digest behind the tag: see "Docker" in docs/operating.md.
# The full image has what compiles SQLite's module: a ready one would come without a hash.
FROM node:26.10.0-bookworm AS build
ENV npm_config_build_from_source=true
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Nothing but sqlite3 runs a script; esbuild needs none.
RUN npm ci --ignore-scripts --no-audit --no-fund && npm rebuild sqlite3
COPY src ./src
COPY commands ./commands
# There is no Git in it: docker build --build-arg WALLETBELL_COMMIT=$(git rev-parse --short=7 HEAD)
ARG WALLETBELL_COMMIT
RUN npm run build -- main doctor backup store health polymarket && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:26.10.0-bookworm-slim
ENV NODE_ENV=production STORE_URL=sqlite:///data/walletbell.sqlite HTTP_PORT=0.0.0.0:8080
# The old name, for whoever sets HTTP_PORT without an address as before 0.10. It goes with 0.12.
ENV HTTP_HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
# Beside a store on a server, a gateway to Polymarket keeps its file in /app/data.
RUN mkdir /data data && chown node:node /data data
VOLUME /data
USER node
# Without a port nothing is served that could be asked: then the container counts as healthy as long as it runs.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "dist/health.js"]
# Run it with --init (compose.yaml does): Node is not made to be process 1.
CMD ["node", "--max-semi-space-size=4", "--heap-growing-percent=30", "--optimize-for-size", "--no-concurrent-sparkplug", "dist/main.js"]
