# gaplab in an image of its own, which has nothing but the static program. Tasks refuse another program than the one that
# planned their campaign: both come from the same sources.
#
#	CGO_ENABLED=0 go build -trimpath -o bin/gaplab ./cmd/gaplab
#	buildah build -t gaplab .
FROM scratch
COPY bin/gaplab /usr/bin/gaplab
# what was read of data is kept here in parsed form, for as long as the volume lives
ENV XDG_CACHE_HOME=/cache
VOLUME /cache
ENTRYPOINT ["/usr/bin/gaplab"]
