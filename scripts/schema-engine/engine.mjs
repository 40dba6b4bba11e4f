import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as wasm from '@prisma/schema-engine-wasm/schema_engine_bg';

/** PostgreSQL's internal single-byte type "char", used throughout its catalogue. */
const CHAR_OID = 18;
const TEXT_OID = 25;
const CHAR_MARK = '\0char';

/** @typedef {Awaited<ReturnType<PrismaPg['connect']>>} Connection */

/**
 * The adapter refuses the type "char". The column is passed as text with a mark on its name, and is declared as a character
 * afterwards, because the engine requires that type.
 *
 * @param {Connection} connection
 */
function understandChar(connection) {
  const pool = connection.underlyingDriver();
  const query = pool.query.bind(pool);
  Object.assign(pool, {
    /** @param {unknown[]} args */
    async query(...args) {
      const result = await Reflect.apply(query, pool, args);
      for (const field of result.fields ?? []) {
        if (field.dataTypeID === CHAR_OID) Object.assign(field, { dataTypeID: TEXT_OID, name: `${field.name}${CHAR_MARK}` });
      }
      return result;
    },
  });
  const queryRaw = connection.queryRaw.bind(connection);
  connection.queryRaw = async (statement) => {
    const { columnNames, columnTypes, rows } = await queryRaw(statement);
    return {
      columnNames: columnNames.map((name) => name.replace(CHAR_MARK, '')),
      columnTypes: columnTypes.map((type, index) => (columnNames[index]?.endsWith(CHAR_MARK) ? ColumnTypeEnum.Character : type)),
      rows,
    };
  };
}

/**
 * The adapter would cut a script at every semicolon, those in comments and function bodies included. PostgreSQL itself takes a
 * script whole.
 *
 * @param {Connection} connection
 */
function takeScriptsWhole(connection) {
  connection.executeScript = async (script) => {
    await connection.executeRaw({ sql: script, args: [], argTypes: [] });
  };
}

/** @param {string} databaseUrl */
async function open(databaseUrl) {
  const connection = await new PrismaPg({ connectionString: databaseUrl }).connect();
  understandChar(connection);
  takeScriptsWhole(connection);
  return connection;
}

/** Connects the engine to a database, and to a scratch ("shadow") database beside it that goes away when it is done with. */
class Connections extends PrismaPg {
  /** @param {string} databaseUrl */
  constructor(databaseUrl) {
    super({ connectionString: databaseUrl });
    this.databaseUrl = databaseUrl;
  }

  /** @override */
  async connect() {
    return open(this.databaseUrl);
  }

  /** @override */
  async connectToShadowDb() {
    const main = await this.connect();
    const name = `prisma_migrate_shadow_db_${randomUUID()}`;
    await main.executeScript(`CREATE DATABASE "${name}"`);
    const url = new URL(this.databaseUrl);
    url.pathname = `/${name}`;
    const shadow = await open(url.toString());
    const disconnect = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await disconnect();
      await main.executeScript(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      await main.dispose();
    };
    return shadow;
  }
}

/** @type {string | null} */
let panic = null;

/** @param {string} message */
function rememberPanic(message) {
  panic = message;
}

/** What the engine reported before it aborted; null when it has not. */
export function lastPanic() {
  return panic;
}

/**
 * Loads the WebAssembly build of the schema engine and points it at a database.
 * It connects at once, and fails when it cannot.
 *
 * @param {{ databaseUrl: string, datamodels: [string, string][], trace: (message: unknown) => void }} options
 * `datamodels` are the schema files as pairs of path and text.
 */
export async function loadEngine({ databaseUrl, datamodels, trace }) {
  const glue = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = readFileSync(glue.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': { ...wasm } });
  wasm.__wbg_set_wasm(instance.exports);
  Reflect.set(globalThis, 'PRISMA_WASM_PANIC_REGISTRY', { set_message: rememberPanic });
  const start = instance.exports.__wbindgen_start;
  if (typeof start !== 'function') throw new Error('The WebAssembly schema engine cannot be started: wrong version?');
  start();
  const adapter = bindMigrationAwareSqlAdapterFactory(new Connections(databaseUrl));
  return wasm.SchemaEngine.new({ datamodels: datamodels.length > 0 ? datamodels : undefined }, trace, adapter);
}
