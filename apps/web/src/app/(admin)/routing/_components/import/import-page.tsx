'use client';

import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { FileDrop } from '#/components/file-drop/file-drop.tsx';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import { useCreateDraft } from '../queries/use-create-draft.ts';
import { useLive, useMerchantName, useRoutingScope } from '../queries/use-routing.ts';
import { useStoredText } from '../queries/use-stored-text.ts';
import { counted, joined } from '../rules/copy.ts';

/** A summary of an exported file, computed without the server. */
type FileSummary =
  | { readonly kind: 'not_json'; readonly message: string }
  | { readonly kind: 'other' }
  | {
      readonly kind: 'rules';
      readonly json: unknown;
      readonly rules: number;
      /** `exported from version 8 of test mode`, or null where the file does not name it. */
      readonly from: string | null;
      /** Labels of accounts that are named anywhere, each once, in order. */
      readonly labels: readonly string[];
    };

/** Summarises a file as far as its format allows; the server validates it. */
export function describeFile(text: string): FileSummary {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { kind: 'not_json', message: error instanceof Error ? error.message : 'it ends too early' };
  }
  if (!isObject(json) || !isObject(json.ruleSet)) return { kind: 'other' };
  const { rules, defaultOrder } = json.ruleSet;
  const targets = list(rules).flatMap((rule) => (isObject(rule) && isObject(rule.then) ? [rule.then] : []));
  const named = [
    ...targets.flatMap((target) => [
      ...list(target.accounts),
      ...list(target.split).map((share) => (isObject(share) ? share.account : null)),
    ]),
    ...list(defaultOrder),
  ];
  const labels = [...new Set(named.filter((name) => typeof name === 'string'))];
  const { version, mode } = json;
  const from =
    typeof version === 'number' && typeof mode === 'string'
      ? `exported from ${version === 0 ? 'a draft' : `version ${version}`} of ${mode} mode`
      : null;
  return { kind: 'rules', json, rules: list(rules).length, from, labels };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const schema = z.object({
  file: z.pipe(
    z.string(),
    z.transform((text, context) => {
      const summary = describeFile(text);
      if (summary.kind === 'rules') return summary.json;
      context.issues.push({ code: 'custom', message: 'must be a file of rules', input: text });
      return z.NEVER;
    }),
  ),
});

/** Imports rules from a file: summarised, checked against this merchant's accounts, and saved as a draft. */
export function ImportPage() {
  const scope = useRoutingScope();
  const merchant = useMerchantName();
  const may = useCan()('routing:publish', scope.merchantId);
  const { begin, problems, reset } = useCreateDraft();
  const [text, keepText] = useStoredText(`import ${scope.merchantId} ${scope.mode}`);
  const form = useForm({
    schema,
    values: { file: text },
    async onSubmit({ file }) {
      const outcome = await begin({ kind: 'file', file });
      if (outcome?.kind === 'created') keepText('');
      return outcome?.kind === 'invalid'
        ? `Not imported: ${counted(outcome.problems.length, 'problem')} in the file. No draft was created.`
        : null;
    },
  });
  const { file } = form.entered;
  const summary = file.trim() === '' ? null : describeFile(file);

  /** Replaces the text, and what was wrong with the one before. */
  function write(next: string): void {
    form.discard();
    reset();
    keepText(next);
  }
  async function take(chosen: File): Promise<void> {
    write(await chosen.text());
  }

  return (
    <>
      <BackLink href={hrefIn(scope, '/routing')}>Rules</BackLink>
      <PageHead title="Import rules" />
      <p className="max-w-[90ch] -mt-2 mb-4 text-ink-quiet">
        Import a file that was exported here, from test or live mode, from this merchant or another. Accounts are matched by
        label, and have to exist for {merchant} in {scope.mode} mode. The import creates a draft; nothing is published.
      </p>
      {!may && (
        <p className="max-w-[90ch] -mt-2 mb-4 text-ink-quiet">
          Your role cannot change rules. Owners and operators of this merchant can.
        </p>
      )}
      <Form form={form} warns={false}>
        <FileDrop
          accept="application/json,.json"
          label="Choose a file"
          hint="or drop it here, or paste its content"
          disabled={!may}
          onFile={(chosen) => void take(chosen)}
        />
        <div className="max-w-[960px]">
          <form.Area
            name="file"
            label="The file"
            rows={12}
            variant="code"
            spellCheck={false}
            disabled={!may}
            placeholder={
              '{ "schemaVersion": 1, "mode": "test", "version": 8, "ruleSet": { "rules": [], "defaultOrder": ["paystack-main"] } }'
            }
            onChange={(typed) => {
              reset();
              keepText(typed);
            }}
          />
        </div>
        {summary !== null && <Summary summary={summary} />}
        <div className={problems.length > 0 ? 'max-w-[960px] mt-4' : undefined}>
          <FormRefusal />
        </div>
        {problems.length > 0 && (
          <ul className="grid gap-1 my-3 text-sm" aria-label="Problems in the file">
            {problems.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <code>{field}</code> {message}
              </li>
            ))}
          </ul>
        )}
        <div className="flex gap-2 mt-4">
          <SubmitButton disabled={!may || summary?.kind !== 'rules'}>Create draft</SubmitButton>
          {file !== '' && <Button onClick={() => write('')}>Clear</Button>}
        </div>
      </Form>
    </>
  );
}

/** The contents of the file, before it is sent to the server. */
function Summary({ summary }: { summary: FileSummary }) {
  const live = useLive();
  if (summary.kind === 'not_json') return <p className="mt-2 text-bad-ink text-sm">This is not JSON: {summary.message}</p>;
  if (summary.kind === 'other')
    return <p className="mt-2 text-bad-ink text-sm">This is JSON, but not a file of rules: it has no “ruleSet”.</p>;
  const labels = new Set(live.data?.accounts.map(({ label }) => label));
  const unknown = summary.labels.filter((label) => !labels.has(label));
  return (
    <div className="mt-3 text-sm">
      <p>
        {counted(summary.rules, 'rule')}
        {summary.from === null ? '' : `, ${summary.from}`}. Names {joined(summary.labels) || 'no account'}.
      </p>
      {live.data !== undefined && unknown.length > 0 && (
        <p className="mt-2 text-bad-ink text-sm">
          There is no account called {joined(unknown)} here. Connect one under that label, or change the name in the file.
        </p>
      )}
    </div>
  );
}
