'use client';

import { IconPlus } from '@tabler/icons-react';
import {
  type Dispatch,
  memo,
  type RefObject,
  type SetStateAction,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from '#/components/button/button.tsx';
import { SortableList } from '#/components/sortable-list/sortable-list.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import { RuleSummary, Share } from '../list/rule-summary.tsx';
import type { Cell } from '../map/coverage.ts';
import { CoverageMap, MapScope, useMapScope } from '../map/coverage-map.tsx';
import { type LiveCheck, mostSevere } from '../queries/use-check.ts';
import type { LiveRouting, Traffic } from '../queries/use-routing.ts';
import { bandText } from '../rules/copy.ts';
import type { Rule, RuleDocument } from '../rules/document.ts';
import { DefaultOrderEditor } from './accounts-editor.tsx';
import { Analysis, NoteMark } from './notes.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { type NewRule, type RuleEdits, useRuleEdits } from './use-rule-edits.tsx';

const SHOWN = 100;

/** Editor of the rules and their order, beside the coverage map. */
export function RulesTab({
  edited,
  live,
  check,
  mayWrite,
  setAdded,
}: {
  edited: EditedDraft;
  live: LiveRouting;
  check: LiveCheck;
  mayWrite: boolean;
  setAdded: Dispatch<SetStateAction<NewRule | null>>;
}) {
  const { document } = edited;
  const { accounts } = live;
  const [lit, setLit] = useState<string | null>(null);
  const mapScope = useMapScope(document, accounts);
  const edit = useRuleEdits({ edited, mayWrite, currency: mapScope.currency, accounts, declared: live.metadataKeys, setAdded });
  const latestEdit = useRef(edit);
  useLayoutEffect(() => {
    latestEdit.current = edit;
  });
  const { notes, check: answer, gone, isBehind } = check;
  const found = useMemo(() => ({ notes, check: answer, gone, isBehind }), [notes, answer, gone, isBehind]);
  // Map and analysis follow a moment later, so that a key is on the page at once.
  const beside = {
    document: useDeferredValue(document),
    lit: useDeferredValue(lit ?? edit.openId),
    check: useDeferredValue(found),
  };
  return (
    <div className="grid grid-cols-1 gap-10 min-[1200px]:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)] min-[1200px]:gap-12 min-[1800px]:grid-cols-[minmax(0,720px)_minmax(0,1fr)]">
      <section aria-labelledby="draft-rules">
        <div className="flex gap-4 items-center justify-between min-h-8 mb-2 [&_h2]:text-lg [&_h2]:font-semibold [&_h2]:tracking-[-0.005em]">
          <h2 id="draft-rules">{document.rules.length === 0 ? 'No rules yet' : 'Rules'}</h2>
          <span className="ml-auto text-ink-faint text-xs">Last 7 days, by this draft</span>
          {mayWrite && (
            <Button onClick={() => edit.add(null, 0)}>
              <IconPlus size={16} stroke={1.8} aria-hidden="true" />
              Add a rule
            </Button>
          )}
        </div>
        {document.rules.length === 0 && (
          <p className="max-w-[70ch] pt-2 pb-4 text-ink-quiet">
            Every payment follows the default order below. A rule sends some payments elsewhere, such as card payments up to NGN
            5,000 to one account. Add a rule, or click a cell of the map.
          </p>
        )}
        <Rules edited={edited} live={live} check={check} mayWrite={mayWrite} edit={edit} lit={lit} onLight={setLit} />
        <DefaultOrderEditor edited={edited} accounts={accounts} notes={check.notes.ofDefaultOrder} mayWrite={mayWrite} />
      </section>
      <MapSide {...beside} accounts={accounts} mayWrite={mayWrite} edit={latestEdit} onLight={setLit} />
    </div>
  );
}

/** The coverage map and the analysis, beside the rules. */
const MapSide = memo(function MapAndAnalysis({
  document,
  accounts,
  lit,
  check,
  mayWrite,
  edit,
  onLight,
}: {
  document: RuleDocument;
  accounts: LiveRouting['accounts'];
  lit: string | null;
  check: Parameters<typeof Analysis>[0]['check'];
  mayWrite: boolean;
  edit: RefObject<RuleEdits>;
  onLight: (ruleId: string | null) => void;
}) {
  const [picked, setPicked] = useState<Cell | null>(null);
  const mapScope = useMapScope(document, accounts);
  return (
    <section className="beside-text" aria-labelledby="draft-map">
      <div className="flex gap-4 items-center justify-between min-h-8 mb-2 [&_h2]:text-lg [&_h2]:font-semibold [&_h2]:tracking-[-0.005em]">
        <h2 id="draft-map">Map</h2>
      </div>
      <MapScope {...mapScope} />
      <CoverageMap
        document={document}
        accounts={accounts}
        currency={mapScope.currency}
        country={mapScope.country}
        keys={mapScope.keys}
        lit={lit}
        onLight={onLight}
        picked={picked}
        onPick={(cell) => {
          if (mayWrite && cell.position === null) edit.current.add(cell, document.rules.length);
          else setPicked(cell);
        }}
        hint={
          mayWrite
            ? 'Point at a cell to see which rule decides. Click a cell to write a rule for it.'
            : 'Point at a cell to see which rule decides.'
        }
      />
      {picked !== null && (
        <div className="flex flex-wrap gap-2 mt-3">
          {picked.position !== null && (
            <Button onClick={() => edit.current.open(document.rules[picked.position ?? 0]?.ruleId ?? null)}>
              Open rule {picked.position + 1}
            </Button>
          )}
          {mayWrite && (
            <Button
              onClick={() => {
                edit.current.add(picked, picked.position ?? document.rules.length);
                setPicked(null);
              }}
            >
              New rule for {methodTitle(picked.method)}, {bandText(mapScope.currency, picked)}
            </Button>
          )}
        </div>
      )}
      <Analysis
        check={check}
        onRule={(position) => edit.current.open(document.rules[position]?.ruleId ?? null)}
        onCover={
          mayWrite
            ? (gap) => edit.current.add({ method: gap.method, from: gap.from, to: gap.to }, document.rules.length, gap.currency)
            : undefined
        }
      />
    </section>
  );
});

function Rules({
  edited,
  live,
  check,
  mayWrite,
  edit,
  lit,
  onLight,
}: {
  edited: EditedDraft;
  live: LiveRouting;
  check: LiveCheck;
  mayWrite: boolean;
  edit: RuleEdits;
  lit: string | null;
  onLight: (ruleId: string | null) => void;
}) {
  const [limit, setLimit] = useState(SHOWN);
  const { rules } = edited.document;
  const shown = rules.slice(0, limit);
  const entry = (rule: Rule, position: number, moveTo: (to: number) => void) => (
    <Entry
      key={rule.ruleId}
      rule={rule}
      position={position}
      live={live}
      check={check}
      traffic={check.traffic}
      mayWrite={mayWrite}
      edit={edit}
      onMove={moveTo}
      count={rules.length}
      lit={lit}
      onLight={onLight}
    />
  );
  return (
    <>
      {mayWrite ? (
        <SortableList
          label="Rules"
          className="border-t border-line"
          entryClassName={'gap-1 items-start py-1 px-0 border-b border-line [&>button]:first:mt-2'}
          keys={shown.map(({ ruleId }) => ruleId)}
          nameOf={(ruleId) => {
            const at = rules.findIndex((rule) => rule.ruleId === ruleId);
            return `rule ${at + 1}, ${rules[at]?.name || 'unnamed'}`;
          }}
          onMove={edit.move}
        >
          {(ruleId, position, moveTo) => {
            const rule = shown[position]?.ruleId === ruleId ? shown[position] : shown.find((each) => each.ruleId === ruleId);
            return rule === undefined ? null : entry(rule, position, moveTo);
          }}
        </SortableList>
      ) : (
        <ol className="border-t border-line" aria-label="Rules">
          {shown.map((rule, position) => (
            <li key={rule.ruleId} className="gap-1 items-start py-1 px-0 border-b border-line [&>button]:first:mt-2">
              {entry(rule, position, () => undefined)}
            </li>
          ))}
        </ol>
      )}
      {rules.length > limit && (
        <div className="py-3">
          <Button onClick={() => setLimit(limit + SHOWN)}>
            Show {Math.min(SHOWN, rules.length - limit)} more of {rules.length}
          </Button>
        </div>
      )}
    </>
  );
}

function Entry({
  rule,
  position,
  live,
  check,
  traffic,
  mayWrite,
  edit,
  onMove,
  count,
  lit,
  onLight,
}: {
  rule: Rule;
  position: number;
  live: LiveRouting;
  check: LiveCheck;
  traffic: Traffic;
  mayWrite: boolean;
  edit: RuleEdits;
  onMove: (to: number) => void;
  count: number;
  lit: string | null;
  onLight: (ruleId: string | null) => void;
}) {
  const isOpen = edit.openId === rule.ruleId;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const notes = check.notes.byRule.get(position) ?? [];
  const marked = notes.filter(({ severity }) => severity !== 'info');
  return (
    <div
      ref={place}
      className="flex-1 min-w-0 rounded-lg below-bar data-[lit=true]:not-data-[open=true]:bg-ground-hover"
      data-lit={rule.ruleId === lit}
      data-open={isOpen}
      onPointerEnter={() => onLight(rule.ruleId)}
      onPointerLeave={() => onLight(null)}
    >
      <button
        type="button"
        className="flex gap-3 items-start w-full pt-1.75 pr-2 pb-2 pl-1.5 rounded-lg text-inherit text-start focus-visible:-outline-offset-2"
        aria-expanded={isOpen}
        onClick={() => edit.open(isOpen ? null : rule.ruleId)}
      >
        <span className="rule-number" data-off={!rule.enabled}>
          {position + 1}
        </span>
        <RuleSummary rule={rule} accounts={live.accounts} keys={live.metadataKeys} />
        <span className="flex-1" />
        <NoteMark severity={mostSevere(marked)} count={marked.length} />
        <Share traffic={traffic} ruleId={rule.ruleId} />
      </button>
      {isOpen && (
        <RuleEditor
          rule={rule}
          position={position}
          count={count}
          accounts={live.accounts}
          declared={live.metadataKeys}
          timeZone={live.timeZone}
          notes={notes}
          mayWrite={mayWrite}
          onChange={edit.replace}
          onTouch={(fields) => edit.touch(rule.ruleId, fields)}
          onMove={onMove}
          onCopy={() => edit.copy(rule)}
          onRemove={() => edit.remove(rule)}
        />
      )}
    </div>
  );
}
