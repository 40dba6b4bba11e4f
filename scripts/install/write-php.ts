import { readFileSync } from 'node:fs';
import { type ApiOperations, nameOf, type Operation, type Parameter, type Schema, typesOf, wrap } from './api-operations.ts';

const TEMPLATE = new URL('./Switchyard.php', import.meta.url);
const WIDTH = 120;

/** Writes the client for PHP: what it does from the file beside this one, types and operations from the document. */
export function writePhp(api: ApiOperations, version: string): string {
  const types = Object.entries(api.schemas).map(([name, schema]) => ` * @phpstan-type ${name} ${typeOf(schema)}\n`);
  const operations = api.operations.flatMap((operation) => writeOperation(api, operation));
  return readFileSync(TEMPLATE, 'utf8')
    .replace("VERSION = '0.0.0'", () => `VERSION = '${version}'`)
    .replace('// types\n', () => types.join(''))
    .replace('    // operations\n', () => operations.join('\n'));
}

/** The type of a value, as PHPStan and editors read it. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return typesOf(schema).includes('null') ? `${nameOf(schema.$ref)}|null` : nameOf(schema.$ref);
  const found = typesOf(schema).map((kind) => typeOfKind(kind, schema));
  return found.length === 0 ? 'mixed' : [...new Set(found)].join('|');
}

function typeOfKind(kind: string, { enum: values, items, properties = {}, required = [] }: Schema): string {
  switch (kind) {
    case 'string':
    case 'integer':
    case 'boolean':
      if (values !== undefined)
        return values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join('|');
      return { string: 'string', integer: 'int', boolean: 'bool' }[kind];
    case 'number':
      return 'int|float';
    case 'null':
      return 'null';
    case 'array':
      return `list<${items === undefined ? 'mixed' : typeOf(items)}>`;
    case 'object': {
      const fields = Object.entries(properties).map(([name, schema]) => {
        const shown = /^\w+$/.test(name) ? name : `'${name}'`;
        return `${shown}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`;
      });
      return fields.length === 0 ? 'array<string, mixed>' : `array{${fields.join(', ')}}`;
    }
    default:
      throw new Error(`no type for ${kind}`);
  }
}

function writeOperation({ schemas }: ApiOperations, operation: Operation): string[] {
  const { id, method, path, pathParameters, query, body, once, items, result } = operation;
  const own = pathParameters.map(({ name }) => ({ code: `string $${name}`, doc: '' }));
  const filters = query.map((parameter) => ({ ...queryType(parameter), name: parameter.name }));
  const given = [...own];
  if (body !== null) {
    given.push({ code: body.required ? 'array $body' : 'array $body = []', doc: `@param ${typeOf(body.schema)} $body` });
  }
  given.push(...filters);
  if (once) given.push({ code: '?string $idempotencyKey = null', doc: '' });
  const written = path.replace(/\{(\w+)\}/g, (_, name) => `' . self::segment('${name}', $${name}) . '`);
  const sent = [`'${method}'`, `'${written}'`.replace(/ \. ''$/, '')];
  if (query.length > 0) sent.push(`query: [${query.map(({ name }) => `'${name}' => $${name}`).join(', ')}]`);
  if (body !== null) sent.push('body: $body');
  if (once) sent.push('idempotencyKey: $idempotencyKey ?? self::newKey()');
  if (!operation.mayRepeat) sent.push('mayRepeat: false');
  const describe = query.map(({ name, description }) => `\`${name}\`: ${description}`).join(' ');
  const docs = given.map(({ doc }) => doc).filter((doc) => doc !== '');
  const lines = [
    ...comment(`${operation.summary}.`, `${operation.description} ${describe}`, [...docs, `@return ${typeOf(result)}`]),
    ...signature(
      id,
      given.map(({ code }) => code),
      'array',
    ),
    `        return $this->send(${sent.join(', ')});`,
    '    }',
    '',
  ];
  if (items === null) return lines;
  const item = typeOf(schemas[typeOf(result)]?.properties?.[items]?.items ?? {});
  const others = filters.filter(({ name }) => name !== 'cursor');
  const handed = [
    ...pathParameters.map(({ name }) => `$${name}`),
    ...others.map(({ name }) => `${name}: $${name}`),
    'cursor: $cursor',
  ];
  const filterDocs = others.map(({ doc }) => doc).filter((doc) => doc !== '');
  return [
    ...lines,
    ...comment(
      `${operation.summary}, from all pages.`,
      'A page is read when the one before is used up; `limit` is the size of a page.',
      [...filterDocs, `@return \\Generator<int, ${item}>`],
    ),
    ...signature(
      id.replace(/^list/, 'iterate'),
      [...own, ...others].map(({ code }) => code),
      '\\Generator',
    ),
    `        return self::iterate(fn (?string $cursor): array => $this->${id}(${handed.join(', ')}), '${items}');`,
    '    }',
    '',
  ];
}

/** Several values are sent separated by commas, and moments as text. */
function queryType({ name, schema }: Parameter): { readonly code: string; readonly doc: string } {
  if (schema.format === 'date-time') return { code: `\\DateTimeInterface|string|null $${name} = null`, doc: '' };
  if (schema.items !== undefined) {
    const item = typeOf(schema.items);
    return { code: `array|string|null $${name} = null`, doc: `@param list<${item}>|${item}|null $${name}` };
  }
  return { code: `${typesOf(schema).includes('integer') ? '?int' : '?string'} $${name} = null`, doc: '' };
}

function signature(name: string, given: readonly string[], result: string): string[] {
  const line = `    public function ${name}(${given.join(', ')}): ${result}`;
  if (line.length <= WIDTH) return [line, '    {'];
  return [`    public function ${name}(`, ...given.map((each) => `        ${each},`), `    ): ${result} {`];
}

function comment(first: string, rest: string, tags: readonly string[]): string[] {
  const text = [...wrap(first, WIDTH), '', ...wrap(rest, WIDTH), '', ...tags].map((line) => line.replaceAll('*/', '* /'));
  return ['    /**', ...text.map((line) => (line === '' ? '     *' : `     * ${line}`)), '     */'];
}
