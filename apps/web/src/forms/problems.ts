import { TRPCClientError } from '@trpc/client';
import type { FieldErrors, FieldValues } from 'react-hook-form';
import superjson from 'superjson';
import * as z from 'zod/mini';
import { failureText } from './failure-text.ts';

/** One thing wrong with what was entered. `${field} ${message}` reads as a sentence; `field` is dotted. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** Why a submission did not go through: a sentence about the whole, or problems of fields. */
export type Refusal = string | readonly FieldProblem[];

/** Data of the server's error about an input that it could not read. */
const unreadableInput = z.object({ problems: z.record(z.string(), z.array(z.string())) });

/** The refusal that a failed call means: problems of the fields of its input where the server names them, else its message. */
export function refusalOf(error: unknown): Refusal {
  const data = error instanceof TRPCClientError ? unreadableInput.safeParse(error.data) : null;
  if (data?.success) {
    const problems = Object.entries(data.data.problems).flatMap(([field, messages]) =>
      messages.map((message) => ({ field, message })),
    );
    if (problems.length > 0) return problems;
  }
  return failureText(error);
}

/** Problems beside their fields, and the one sentence of those that belong to no field in sight. */
interface PlacedRefusal {
  readonly fields: ReadonlyMap<string, string>;
  readonly form: string | null;
}

/**
 * Finds the field of each problem among those in sight: the one of that name, else the nearest that holds it (`scopes` for
 * `scopes.2`). `aliases` are the fields whose names differ from the server's.
 */
export function placeRefusal(
  refusal: Refusal,
  inSight: { has: (name: string) => boolean },
  aliases: Readonly<Record<string, string>> = {},
): PlacedRefusal {
  if (typeof refusal === 'string') return { fields: new Map(), form: refusal };
  const fields = new Map<string, string>();
  const others: string[] = [];
  for (const { field, message } of refusal) {
    const name = placesOf(field, aliases).find((each) => inSight.has(each));
    if (name === undefined) others.push(`${field} ${message}`);
    else fields.set(name, joined(fields.get(name), message));
  }
  return { fields, form: others.length === 0 ? null : sentence([...new Set(others)].join('; ')) };
}

/** Every problem that validation found, by the path of its value. */
export function problemsIn<Entered extends FieldValues>(errors: FieldErrors<Entered>): FieldProblem[] {
  return collect(errors, []);
}

/** The messages of an error and of what is below it, once each. */
export function messageIn(error: unknown): string | null {
  const messages = collect(error, []).map(({ message }) => message);
  return messages.length === 0 ? null : [...new Set(messages)].join('; ');
}

function placesOf(field: string, aliases: Readonly<Record<string, string>>): string[] {
  const parts = field.split('.');
  return parts.flatMap((_, index) => {
    const path = parts.slice(0, parts.length - index).join('.');
    return [aliases[path] ?? path];
  });
}

function joined(before: string | undefined, message: string): string {
  return before === undefined || before.split('; ').includes(message) ? (before ?? message) : `${before}; ${message}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function collect(error: unknown, path: readonly string[]): FieldProblem[] {
  if (typeof error !== 'object' || error === null) return [];
  if ('message' in error && typeof error.message === 'string') return [{ field: path.join('.'), message: error.message }];
  return Object.entries(error).flatMap(([name, below]) => (name === 'ref' ? [] : collect(below, [...path, name])));
}

/**
 * The settings that differ from those a form was opened with. Only these are sent: another person may have changed the others since,
 * and fields that were not edited must not set them back.
 */
export function onlyChanged<Settings extends object>(opened: Settings, entered: Settings): Partial<Settings> {
  const changed: Partial<Settings> = {};
  for (const name in entered) {
    if (superjson.stringify(entered[name]) !== superjson.stringify(opened[name])) changed[name] = entered[name];
  }
  return changed;
}
