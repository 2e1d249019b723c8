# An image that contains only the static program gaplab. A task refuses to run with another gaplab than the one that
# planned its campaign, so build both from the same sources.
#
#	CGO_ENABLED=0 go build -trimpath -o bin/gaplab ./cmd/gaplab
#	buildah build -t gaplab .
FROM scratch
COPY bin/gaplab /usr/bin/gaplab
# gaplab caches parsed data sets here, as long as the volume exists
ENV XDG_CACHE_HOME=/cache
VOLUME /cache
ENTRYPOINT ["/usr/bin/gaplab"]
