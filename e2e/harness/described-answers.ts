import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';

/** Checks answers against an OpenAPI document. */
export interface DescribedAnswers {
  /** Throws, naming the path, when an answer is not as described. */
  check(method: string, path: string, answer: { status: number; json: unknown; text: string }): void;
}

const documentSchema = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))) });
const ID = 'openapi';

/** The document read last, as text without addresses of this machine: the suites of a process read the same. */
let last: { readonly text: string; readonly answers: DescribedAnswers } | undefined;

/** Reads a document; answers of paths and methods it does not have must be its failure envelope. */
export function describedAnswers(json: unknown): DescribedAnswers {
  const document = documentSchema.parse(json);
  const text = JSON.stringify(document).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');
  if (last?.text !== text) last = { text, answers: readDocument(document) };
  return last.answers;
}

function readDocument(document: z.output<typeof documentSchema>): DescribedAnswers {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, ID);
  const validators = new Map<string, ReturnType<typeof ajv.compile>>();

  function validatorAt(pointer: string) {
    const known = validators.get(pointer);
    if (known !== undefined) return known;
    const validator = ajv.compile({ $ref: `${ID}#${pointer}` });
    validators.set(pointer, validator);
    return validator;
  }

  return {
    check(method, path, { status, json: body, text }) {
      const where = `${method} ${path} → ${status}`;
      if (method === 'HEAD') return;
      const template = Object.keys(document.paths).find((known) => matches(known, path.split('?')[0] ?? ''));
      const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
      const pointer =
        template === undefined || operation === undefined
          ? '/components/schemas/Failure'
          : `/paths/${escaped(template)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
      if (operation !== undefined && !hasResponse(operation, status)) throw new Error(`${where} is not described: ${text}`);
      const validate = validatorAt(pointer);
      if (!validate(body)) throw new Error(`${where} is not as described: ${ajv.errorsText(validate.errors)}\n${text}`);
    },
  };
}

const responsesSchema = z.object({ responses: z.record(z.string(), z.unknown()) });

function hasResponse(operation: unknown, status: number): boolean {
  return String(status) in responsesSchema.parse(operation).responses;
}

function matches(template: string, path: string): boolean {
  const expected = template.split('/');
  const given = path.split('/');
  return expected.length === given.length && expected.every((part, at) => part.startsWith('{') || part === given[at]);
}

function escaped(template: string): string {
  return encodeURIComponent(template.replaceAll('~', '~0').replaceAll('/', '~1'));
}
