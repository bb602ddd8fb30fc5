# The aggregator with all four servers, on HTTP. A token is needed, because a container listens beyond loopback.
FROM node:24-bookworm-slim AS build
WORKDIR /atoll
COPY . .
RUN node tooling/build.mjs

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap python3 python3-numpy python3-pandas python3-openpyxl python3-xlrd python3-scipy python3-sklearn python3-xgboost \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /atoll
COPY --from=build /atoll /atoll
USER node
ENV ATOLL_DATA_DIR=/data ATOLL_HOST=0.0.0.0
VOLUME /data
EXPOSE 7410
ENTRYPOINT ["node", "apps/aggregator/dist/cli.js", "--http"]
