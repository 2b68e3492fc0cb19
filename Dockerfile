# Tessera on Debian 12: docker build -t tessera . && docker run --rm -v "$PWD:/work" tessera optimize model.mlir -o optimized.mlir
FROM debian:12 AS build
COPY . /tessera
WORKDIR /tessera
RUN apt-get update -qq && scripts/install-deps dpkg-dev file \
 && cmake --preset release -DBUILD_TESTING=OFF && cmake --build --preset release \
 && cd build/release && cpack -G DEB -B /packages && rm -r /packages/_CPack_Packages

FROM debian:12
COPY --from=build /packages /packages
RUN apt-get update -qq && apt-get install -y -qq /packages/*.deb && rm -rf /packages /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["tessera"]
