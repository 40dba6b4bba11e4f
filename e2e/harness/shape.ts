/** Every field of a JSON value by its path, with its type. Items of a list share the path `[]`; types that differ are joined. */
export function shapeOf(value: unknown): Record<string, string> {
  const shape = new Map<string, Set<string>>();
  walk(value, '', shape);
  const rows = [...shape].map(([path, types]) => [path, [...types].sort().join(' or ')]);
  return Object.fromEntries(rows.sort(([left = ''], [right = '']) => (left < right ? -1 : 1)));
}

function walk(value: unknown, path: string, shape: Map<string, Set<string>>): void {
  if (path !== '') shape.set(path, (shape.get(path) ?? new Set()).add(typeOf(value)));
  if (Array.isArray(value)) for (const item of value) walk(item, `${path}[]`, shape);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`, shape);
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
