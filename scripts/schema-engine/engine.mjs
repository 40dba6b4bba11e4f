import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as wasm from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

const CHAR = 18;
const TEXT = 25;

/**
 * The engine's catalogue queries return PostgreSQL's internal type "char", which the adapter does not know.
 * It is one letter of text, and is reported as that.
 *
 * @param {typeof pg.Client.prototype | typeof pg.Pool.prototype} prototype
 */
function reportCharAsText(prototype) {
  const query = prototype.query;
  Object.assign(prototype, {
    /**
     * @this {pg.Client | pg.Pool}
     * @param {unknown[]} args
     */
    query(...args) {
      const outcome = Reflect.apply(query, this, args);
      if (!(outcome instanceof Promise)) return outcome;
      return outcome.then((result) => {
        for (const field of result?.fields ?? []) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
        return result;
      });
    },
  });
}
reportCharAsText(pg.Client.prototype);
reportCharAsText(pg.Pool.prototype);

/** Connects the engine to a database, and to a scratch ("shadow") database beside it that goes away when it is done with. */
class Connections extends PrismaPg {
  /** @param {string} databaseUrl */
  constructor(databaseUrl) {
    super({ connectionString: databaseUrl });
    this.databaseUrl = databaseUrl;
  }

  /** @override */
  async connectToShadowDb() {
    const main = await this.connect();
    const name = `prisma_migrate_shadow_db_${randomUUID()}`;
    await main.executeScript(`CREATE DATABASE "${name}"`);
    const url = new URL(this.databaseUrl);
    url.pathname = `/${name}`;
    const shadow = await new PrismaPg({ connectionString: url.toString() }).connect();
    const disconnect = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await disconnect();
      await main.executeScript(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      await main.dispose();
    };
    return shadow;
  }
}

/**
 * Loads the WebAssembly build of the schema engine and points it at a database.
 * No connection is made before the first request that needs one.
 *
 * @param {{ databaseUrl: string, datamodels: [string, string][], trace: (message: unknown) => void }} options
 * `datamodels` are the schema files as pairs of path and text.
 */
export async function loadEngine({ databaseUrl, datamodels, trace }) {
  const glue = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = readFileSync(glue.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': { ...wasm } });
  wasm.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start !== 'function') throw new Error('The WebAssembly schema engine cannot be started: wrong version?');
  start();
  const adapter = bindMigrationAwareSqlAdapterFactory(new Connections(databaseUrl));
  return wasm.SchemaEngine.new({ datamodels: datamodels.length > 0 ? datamodels : undefined }, trace, adapter);
}
