import { componentName, type Schema, typesOf } from './api-document.ts';

const DEPTH_MAX = 8;

/** A value a schema allows: its own example where it has one, else something plausible of its type. */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>, depth = 0): unknown {
  if (schema.example !== undefined) return schema.example;
  const named = componentName(schema);
  if (named !== null) {
    const target = schemas[named];
    return target === undefined || depth >= DEPTH_MAX ? null : exampleOf(target, schemas, depth + 1);
  }
  if (schema.enum !== undefined) return schema.enum[0] ?? null;
  switch (typesOf(schema)[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [name, exampleOf(property, schemas, depth + 1)]),
      );
    case 'array':
      return schema.items === undefined || depth >= DEPTH_MAX ? [] : [exampleOf(schema.items, schemas, depth + 1)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'string':
      return exampleText(schema.format);
    default:
      return null;
  }
}

function exampleText(format: string | undefined): string {
  switch (format) {
    case 'uuid':
      return '0197f3a0-5c4e-7d2a-9b1e-3f6a8c2d4e5f';
    case 'date-time':
      return '2026-11-21T09:30:00.000Z';
    case 'uri':
      return 'https://shop.example/thanks';
    case 'email':
      return 'ada@example.com';
    default:
      return 'text';
  }
}
