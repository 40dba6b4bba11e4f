# Commands about backups with PostgreSQL's programs of the version that compose runs: pg_basebackup, pg_dump, pg_restore and psql, and the
# server that a restore is tried on. Build it after the image of the programs, from the root of the repository:
#
#   docker build -f deploy/backup.Dockerfile -t switchyard-backup:0.1.0 .

FROM switchyard:0.1.0 AS programs

FROM postgres:18.4-bookworm
WORKDIR /app
COPY --from=programs /usr/local/bin/node /usr/local/bin/node
COPY --from=programs /app /app
ENV NODE_ENV=production \
  HOME=/tmp \
  PATH=/app/deploy:$PATH
# The account of the server's files; a restore starts a server under it.
USER postgres
ENTRYPOINT ["/app/deploy/entrypoint.sh"]
CMD ["true"]
