import { readFileSync } from 'node:fs';
import { type ApiOperations, nameOf, type Operation, type Parameter, type Schema, typesOf, wrap } from './api-operations.ts';

const TEMPLATE = new URL('./switchyard.py', import.meta.url);
const WIDTH = 110;
const IDENTIFIER = /^[A-Za-z_]\w*$/;
/** Words that Python keeps for itself and that are names of fields. */
const KEYWORDS = new Set(['and', 'as', 'class', 'from', 'global', 'import', 'in', 'is', 'not', 'or', 'pass', 'return', 'with']);

/** Writes the client for Python: what it does from the file beside this one, types and operations from the document. */
export function writePython(api: ApiOperations, version: string): string {
  const types = Object.entries(api.schemas).flatMap(([name, schema]) => writeType(name, schema));
  const operations = api.operations.flatMap((operation) => writeOperation(api, operation));
  return readFileSync(TEMPLATE, 'utf8')
    .replace('__version__ = "0.0.0"', () => `__version__ = "${version}"`)
    .replace('# types\n', () => types.join('\n'))
    .replace('    # operations\n', () => operations.join('\n'));
}

/** The classes of a schema: its own, and those of the objects in it. */
function writeType(name: string, schema: Schema): string[] {
  const inner: string[] = [];
  const properties = Object.entries(schema.properties ?? {});
  const fields = (isRequired: boolean) =>
    properties
      .filter(([field]) => (schema.required ?? []).includes(field) === isRequired)
      .flatMap(([field, each]) => [
        ...wrap(each.description ?? '', WIDTH).map((line) => `    # ${line}`),
        `    ${field}: ${typeOf(each, `${name}${capital(field)}`, inner)}`,
      ]);
  const [required, optional] = [fields(true), fields(false)];
  const documented = schema.description === undefined ? [] : docstring('    ', schema.description, '');
  const classes = [];
  if (optional.length > 0 && required.length > 0) {
    classes.push(`class _${name}Required(TypedDict):`, ...required, '', '');
    classes.push(`class ${name}(_${name}Required, total=False):`, ...documented, ...optional, '', '');
  } else {
    const lines = [...documented, ...required, ...optional];
    classes.push(`class ${name}(TypedDict${optional.length > 0 ? ', total=False' : ''}):`);
    classes.push(...(lines.length > 0 ? lines : ['    pass']), '', '');
  }
  return [...inner, ...classes];
}

/** The type of a value; classes of objects in it go to `inner`. */
function typeOf(schema: Schema, name: string, inner: string[]): string {
  const types = typesOf(schema);
  if (schema.$ref !== undefined) return types.includes('null') ? `Optional[${nameOf(schema.$ref)}]` : nameOf(schema.$ref);
  const found = [...new Set(types.filter((type) => type !== 'null').map((type) => typeOfKind(type, schema, name, inner)))];
  const [only = 'Any'] = found;
  const type = found.length > 1 ? `Union[${found.join(', ')}]` : only;
  return types.includes('null') ? `Optional[${type}]` : type;
}

function typeOfKind(kind: string, schema: Schema, name: string, inner: string[]): string {
  switch (kind) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      if (schema.enum !== undefined)
        return `Literal[${schema.enum
          .filter((value) => value !== null)
          .map(literal)
          .join(', ')}]`;
      return { string: 'str', integer: 'int', number: 'float', boolean: 'bool' }[kind];
    case 'array':
      return `List[${schema.items === undefined ? 'Any' : typeOf(schema.items, `${name}Item`, inner)}]`;
    case 'object': {
      const names = Object.keys(schema.properties ?? {});
      // Fields that Python has no name for.
      if (names.length === 0 || names.some((each) => !IDENTIFIER.test(each) || KEYWORDS.has(each))) return 'Dict[str, Any]';
      inner.push(...writeType(name, schema));
      return name;
    }
    default:
      throw new Error(`no type for ${kind} of ${name}`);
  }
}

function writeOperation({ schemas }: ApiOperations, operation: Operation): string[] {
  const { id, path, pathParameters, query, body, once, items } = operation;
  const result = resultOf(operation);
  const name = snake(id);
  const own = pathParameters.map((parameter) => `${snake(parameter.name)}: str`);
  const named = query.map((parameter) => `${snake(parameter.name)}: ${queryType(parameter)} = None`);
  if (once) named.push('idempotency_key: Optional[str] = None');
  const bodyType = body === null ? '' : typeOf(body.schema, `${capital(id)}Body`, []);
  const given = [
    'self',
    ...own,
    ...(body === null ? [] : [body.required ? `body: ${bodyType}` : `body: Optional[${bodyType}] = None`]),
    ...(named.length === 0 ? [] : ['*', ...named]),
  ];
  const address = path.replace(/\{(\w+)\}/g, (_, parameter) => `{_segment('${snake(parameter)}', ${snake(parameter)})}`);
  const sent = [`"${operation.method}"`, address === path ? `"${path}"` : `f"${address}"`];
  if (query.length > 0) sent.push(`query={${query.map((each) => `"${each.name}": ${snake(each.name)}`).join(', ')}}`);
  if (body !== null) sent.push(body.required ? 'body=body' : 'body={} if body is None else body');
  if (once) sent.push('idempotency_key=idempotency_key or str(uuid.uuid4())');
  if (!operation.mayRepeat) sent.push('may_repeat=False');
  const lines = [
    ...signature(name, given, result),
    ...docstring('        ', `${operation.summary}.`, `${operation.description} ${describeQuery(query)}`.trim()),
    `        return cast(${result}, self._send(${sent.join(', ')}))`,
    '',
  ];
  if (items === null) return lines;
  const item = schemas[result]?.properties?.[items]?.items ?? {};
  const filters = query.filter((each) => each.name !== 'cursor');
  const handed = `{${filters.map((each) => `"${snake(each.name)}": ${snake(each.name)}`).join(', ')}}`;
  const list =
    own.length === 0
      ? `self.${name}`
      : `lambda **query: self.${name}(${pathParameters.map((each) => snake(each.name)).join(', ')}, **query)`;
  return [
    ...lines,
    ...signature(
      name.replace(/^list_/, 'iterate_'),
      ['self', ...own, '*', ...filters.map((each) => `${snake(each.name)}: ${queryType(each)} = None`)],
      `Iterator[${typeOf(item, 'Any', [])}]`,
    ),
    ...docstring(
      '        ',
      `${operation.summary}, from all pages.`,
      'A page is read when the one before is used up; `limit` is the size of a page.',
    ),
    `        return _iterate(${list}, "${items}", ${handed})`,
    '',
  ];
}

function resultOf({ id, result }: Operation): string {
  if (result.$ref === undefined) throw new Error(`the result of ${id} has no name`);
  return nameOf(result.$ref);
}

function signature(name: string, given: readonly string[], result: string): string[] {
  const line = `    def ${name}(${given.join(', ')}) -> ${result}:`;
  if (line.length <= WIDTH + 10) return [line];
  return [`    def ${name}(`, ...given.map((each) => `        ${each},`), `    ) -> ${result}:`];
}

/** Several values are sent separated by commas, and moments as text. */
function queryType({ schema }: Parameter): string {
  if (schema.format === 'date-time') return 'Optional[Moment]';
  if (schema.items === undefined) return `Optional[${typeOf(schema, 'Any', [])}]`;
  const item = typeOf(schema.items, 'Any', []);
  return `Union[${item}, Sequence[${item}], None]`;
}

function describeQuery(query: readonly Parameter[]): string {
  return query.map(({ name, description }) => `\`${snake(name)}\`: ${description}`).join(' ');
}

function docstring(indent: string, first: string, rest: string): string[] {
  const text = (line: string) => line.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  const [head = '', ...more] = wrap(text(first), WIDTH);
  const others = wrap(text(rest), WIDTH);
  if (more.length === 0 && others.length === 0) return [`${indent}"""${head}"""`];
  return [
    `${indent}"""${head}`,
    ...more.map((line) => indent + line),
    ...(others.length > 0 ? ['', ...others.map((line) => indent + line)] : []),
    `${indent}"""`,
  ];
}

function literal(value: string | number | boolean): string {
  return typeof value === 'boolean' ? capital(String(value)) : JSON.stringify(value);
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
