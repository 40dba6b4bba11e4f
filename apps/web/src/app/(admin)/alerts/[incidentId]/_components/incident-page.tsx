'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { IncidentButtons } from '#/app/(admin)/alerts/_components/incident-actions.tsx';
import { serverNow } from '#/clock/server-clock.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { saveFile } from '#/components/export-button/download.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { ExactTime } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { Timeline } from '#/components/timeline/timeline.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeStoryEvent, type Incident } from '#/copy/incident-story.ts';
import { describeDuration } from '#/format/moments.ts';
import { failureText } from '#/forms/failure-text.ts';
import { FindingLink, SEVERITY_LABELS } from '#/incidents/incident-links.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan, useCanHere } from '#/trpc/use-can.ts';
import { AccountsNow, HealthSection } from './health-section.tsx';
import { ImpactSection } from './impact-section.tsx';
import { NotesSection, PostMortemSection } from './notes-and-post-mortem.tsx';
import { useImpactInput, useIncident, useIncidentWriting } from './use-incident.ts';

/** One incident, for ever: what it was, and what happened in its course. Read again every few seconds while it is open. */
export function IncidentPage({ incidentId }: { incidentId: string }) {
  const scope = useScope();
  const incident = useIncident(incidentId);
  if (incident === undefined) return null;
  const { title, why, figures, incidentId: openId, closedAt } = incident;
  return (
    <>
      <BackLink href={hrefIn(scope, '/alerts')}>Alerts</BackLink>
      <PageHead title={title}>
        <div className="flex flex-wrap gap-x-3 gap-y-2 items-center print:hidden">
          {openId !== null && closedAt === null && <IncidentButtons incident={incident} incidentId={openId} />}
          <ExportActions incident={incident} />
          <FindingLink finding={incident} className="py-1.5 text-sm" />
        </div>
      </PageHead>
      <StateLine incident={incident} />
      <p className="max-w-[90ch] mb-2 wrap-anywhere">{why}</p>
      {figures.length > 0 && (
        <p className="mb-6 text-ink-quiet text-sm tabular-nums">
          {figures.map(({ label, value }) => `${label}: ${value}`).join(' · ')}
        </p>
      )}
      <AccountsNow incident={incident} />
      <div className="grid gap-x-12 gap-y-9 grid-cols-[minmax(0,1.25fr)_minmax(300px,1fr)] max-laptop:grid-cols-1 print:grid-cols-1">
        <div className="grid gap-9 content-start min-w-0">
          <ImpactSection incident={incident} />
          <HealthSection incident={incident} />
          <Writing incident={incident} />
        </div>
        <Story incident={incident} />
      </div>
    </>
  );
}

/** Post-mortem and notes: written by those who may acknowledge. */
function Writing({ incident }: { incident: Incident }) {
  const can = useCan();
  const writing = useIncidentWriting(incident.incidentId ?? '');
  if (writing === undefined) return null;
  const mayWrite = can('alert:acknowledge', incident.merchantId);
  return (
    <>
      <PostMortemSection incident={incident} writing={writing} mayWrite={mayWrite} />
      <NotesSection incident={incident} writing={writing} mayWrite={mayWrite} />
    </>
  );
}

function StateLine({ incident }: { incident: Incident }) {
  const now = useNow();
  const { severity, kindTitle, merchantName, mode, since, closedAt } = incident;
  const { word, tone } = SEVERITY_LABELS[severity];
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 items-center -mt-2 mb-4 text-ink-quiet text-sm tabular-nums">
      <Badge tone={closedAt === null ? tone : 'over'} warns={severity === 'warning'}>
        {word}
      </Badge>
      <Badge tone={closedAt === null ? 'bad' : 'good'}>{closedAt === null ? 'Open' : 'Closed'}</Badge>
      <span>
        {kindTitle} · {merchantName ?? 'Workspace'} · {mode === 'live' ? 'Live' : 'Test'}
      </span>
      {since !== null && (
        <span>
          <ExactTime value={since} align="start" />
          {closedAt === null ? ', for ' : ', lasted '}
          {describeDuration(Math.max(0, (closedAt?.getTime() ?? now) - since.getTime()))}
        </span>
      )}
    </p>
  );
}

function Story({ incident }: { incident: Incident }) {
  const steps = incident.events.map((event, index) => ({
    key: `${event.what}|${event.at.getTime()}|${index}`,
    at: event.at,
    ...describeStoryEvent(event, incident),
  }));
  return (
    <section aria-labelledby="story" className="min-w-0 max-w-[720px]">
      <h2 className="mb-3 text-base font-semibold" id="story">
        Timeline
      </h2>
      <Timeline steps={steps} timeOf={(at) => <ExactTime value={at} />} />
    </section>
  );
}

/** Saves an incident as Markdown, or prints its page, from where it becomes a PDF. */
function ExportActions({ incident }: { incident: Incident }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const mayRead = useCanHere()('payment:read');
  const [isSaving, setIsSaving] = useState(false);
  const input = useImpactInput(incident);
  const { incidentId } = input;
  async function save() {
    setIsSaving(true);
    try {
      const [impact, writing, { incidentMarkdown }] = await Promise.all([
        mayRead ? queries.fetchQuery(trpc.incidents.impact.queryOptions(input)) : null,
        queries.fetchQuery(trpc.incidents.notes.queryOptions({ incidentId })),
        import('#/copy/incident-markdown.ts'),
      ]);
      const content = incidentMarkdown({ incident, impact, writing, url: window.location.href });
      const day = (incident.since ?? new Date(serverNow())).toISOString().slice(0, 10);
      saveFile(new Blob([content], { type: 'text/markdown;charset=utf-8' }), `incident-${day}-${incidentId.slice(-8)}.md`);
    } catch (error) {
      showToast({ text: failureText(error), tone: 'bad' });
    } finally {
      setIsSaving(false);
    }
  }
  return (
    <>
      <Button loading={isSaving} onClick={() => void save()}>
        Markdown
      </Button>
      <Button onClick={() => window.print()}>Print</Button>
    </>
  );
}
