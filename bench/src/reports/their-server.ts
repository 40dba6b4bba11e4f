import { createServer } from 'node:http';
import { PgAggregatesPreset } from '@graphile/pg-aggregates';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter';

export interface TheirServer {
  readonly url: string;
  readonly about: string;
  close(): Promise<void>;
}

/** PostGraphile on the same database, with its plugins for filters by range and for aggregates. */
export async function startTheirServer(databaseUrl: string): Promise<TheirServer> {
  const instance = postgraphile({
    extends: [PostGraphileAmberPreset, PostGraphileConnectionFilterPreset, PgAggregatesPreset],
    pgServices: [makePgService({ connectionString: databaseUrl, schemas: ['public'], poolConfig: { max: 4 } })],
    grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
    grafast: { explain: false },
  });
  const server = createServer();
  await instance.createServ(grafserv).addTo(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}/graphql`,
    about: 'PostGraphile 5.1.5 with connection-filter 4.0.1 and pg-aggregates 0.2.0-rc.2, without any check of who asks',
    async close() {
      server.close();
      server.closeAllConnections();
      await instance.release();
    },
  };
}
