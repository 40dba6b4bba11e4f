'use client';

import { type DragEvent, useState } from 'react';
import { BackLink } from '#/components/back-link/back-link.tsx';
import { Button } from '#/components/button/button.tsx';
import { AreaField } from '#/components/field/field.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useMay } from '#/trpc/use-may.ts';
import { type CreateOutcome, useCreateDraft } from '../queries/use-create-draft.ts';
import { useLive, useMerchantName, useRoutingScope } from '../queries/use-routing.ts';
import { useStoredText } from '../queries/use-stored-text.ts';
import { counted, joined } from '../rules/copy.ts';
import { describeFile, type FileSummary } from './file-summary.ts';
import classes from './import-page.module.css';

type Problems = Extract<CreateOutcome, { kind: 'invalid' }>['problems'];

/** Imports rules from a file: summarised, checked against this merchant's accounts, and saved as a draft. */
export function ImportPage() {
  const scope = useRoutingScope();
  const merchant = useMerchantName();
  const may = useMay()('routing:publish');
  const { begin, busy } = useCreateDraft();
  const [text, setText] = useStoredText(`import ${scope.merchantId} ${scope.mode}`);
  const [problems, setProblems] = useState<Problems>([]);
  const [isOver, setIsOver] = useState(false);
  const summary = text.trim() === '' ? null : describeFile(text);

  function write(next: string): void {
    setText(next);
    setProblems([]);
  }
  async function take(file: File | undefined): Promise<void> {
    if (file !== undefined) write(await file.text());
  }
  async function check(json: unknown): Promise<void> {
    const outcome = await begin({ kind: 'file', file: json });
    if (outcome?.kind === 'invalid') setProblems(outcome.problems);
    else if (outcome?.kind === 'created') setText('');
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped here; the button beside it opens them as well. */}
      <div
        className={classes.file}
        data-over={isOver}
        onDragOver={(event: DragEvent) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event: DragEvent) => {
          event.preventDefault();
          setIsOver(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
        <label className={classes.choose}>
          <input
            type="file"
            accept="application/json,.json"
            disabled={!may}
            onChange={(event) => void take(event.currentTarget.files?.[0])}
          />
          Choose a file
        </label>
        <span className="text-ink-faint text-sm">or drop it here, or paste its content</span>
      </div>
      <div className="max-w-[960px]">
        <AreaField
          label="The file"
          rows={12}
          variant="code"
          spellCheck={false}
          disabled={!may}
          placeholder={
            '{ "schemaVersion": 1, "mode": "test", "version": 8, "ruleSet": { "rules": [], "defaultOrder": ["paystack-main"] } }'
          }
          value={text}
          onChange={(event) => write(event.currentTarget.value)}
        />
      </div>
      {summary !== null && <Summary summary={summary} />}
      <div className={problems.length > 0 ? 'max-w-[960px] mt-4' : undefined}>
        <Refusal
          message={
            problems.length === 0
              ? null
              : `Not imported: ${counted(problems.length, 'problem')} in the file. No draft was created.`
          }
        />
      </div>
      {problems.length > 0 && (
        <ul className="grid gap-1 my-3 text-sm">
          {problems.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <div className="flex gap-2 mt-4">
        <Button
          variant="accent"
          loading={busy}
          disabled={!may || summary?.kind !== 'rules'}
          onClick={() => summary?.kind === 'rules' && void check(summary.json)}
        >
          Create draft
        </Button>
        {text !== '' && <Button onClick={() => write('')}>Clear</Button>}
      </div>
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
