'use client';

import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type FormEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { type FieldValues, type UseFormReturn, useForm as useLibraryForm } from 'react-hook-form';
import superjson from 'superjson';
import type { core } from 'zod';
import { BOUND_FIELDS, type FieldsInSight, type FieldsOf } from './bound-fields.tsx';
import { onlyChanged, placeRefusal, problemsIn, type Refusal, refusalOf } from './problems.ts';

/** A form: its fields as components whose names are checked, what is entered, and how it is sent. Shown by `Form`. */
export interface FormState<Entered extends FieldValues, Sent = unknown> extends FieldsOf<Entered> {
  /** Values entered. */
  readonly entered: Entered;
  /** True if something is entered that differs from what is stored. */
  readonly isDirty: boolean;
  readonly isSubmitting: boolean;
  /** Enters values in place of a person, all that follows from a choice for example. */
  readonly enter: (values: Partial<Entered>) => void;
  /** Discards what was entered, and every problem. */
  readonly discard: () => void;
  /** Does something else with what is entered; a refusal is shown as that of a submission. Never throws. */
  readonly run: (action: () => Promise<Answer> | Answer) => Promise<void>;
  /** Validates and sends; does nothing while it is being sent. Never throws. */
  readonly submit: (event?: FormEvent) => Promise<void>;
  /** The library's own methods, for `Form`. */
  readonly methods: UseFormReturn<Entered, unknown, Sent>;
  /** The fields in sight: what shows a problem beside each. */
  readonly inSight: FieldsInSight;
  /** The number of submissions that were refused. */
  readonly refusals: number;
}

/** Why a submission was refused, or null once it went through: always said, so that no outcome passes for a success unread. */
export type Answer = Refusal | null;

/** Facts of a submission beside what is sent. */
export interface Submission<Entered, Sent> {
  readonly entered: Entered;
  /** The part of what is sent whose fields were edited. Where only this is sent, another person's changes since then are kept. */
  readonly changed: Partial<Sent>;
}

/** Parts of a form. */
export interface FormOptions<Entered extends FieldValues, Sent extends object> {
  /** Reads what is entered into what is sent. Its messages are sentences without their subject. */
  readonly schema: core.$ZodType<Sent, Entered>;
  /**
   * The stored values, or those that a new form begins with. They may change while the form is open: fields that were not edited
   * follow them, fields that were edited keep what was typed.
   */
  readonly values: NoInfer<Entered>;
  /** Fields whose names differ from the server's: the server's path, and the name here. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Sends what was entered. A failed call may be thrown. What was entered is kept. */
  readonly onSubmit: (sent: Sent, submission: Submission<Entered, Sent>) => Promise<Answer> | Answer;
  /** Called once a submission went through: closes the dialog around, for example. */
  readonly onDone?: () => void;
}

/**
 * A form over a schema. A field that was edited says what is wrong as soon as it is left, all of them on submission; the server's
 * problems appear beside the same fields, and a refusal of the whole at the form.
 */
export function useForm<Entered extends FieldValues, Sent extends object>({
  schema,
  values,
  aliases,
  onSubmit,
  onDone,
}: FormOptions<Entered, Sent>): FormState<Entered, Sent> {
  const methods = useLibraryForm<Entered, unknown, Sent>({
    resolver: standardSchemaResolver(schema),
    // The values of the first rendering; `useStoredValues` follows the later ones.
    values: useState(values)[0],
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    shouldFocusError: false,
  });
  const [inSight] = useState<FieldsInSight>(() => new Map());
  const [refusals, setRefusals] = useState(0);
  const isRunning = useRef(false);
  // A submission that took time must not go by the values of its beginning.
  const latest = useRef(values);
  useLayoutEffect(() => {
    latest.current = values;
  });
  useStoredValues(methods, values);
  const entered = methods.watch();

  // Placed once what the answer has changed is rendered: the field of a problem may come in sight with it.
  const place = useEffectEvent((refusal: Refusal) => {
    const placed = placeRefusal(refusal, inSight, aliases);
    methods.clearErrors();
    for (const [name, message] of placed.fields) inSight.get(name)?.(message);
    if (placed.form !== null) methods.setError('root.refused', { type: 'refused', message: placed.form });
    setRefusals((before) => before + 1);
  });
  const [refused, setRefused] = useState<{ readonly refusal: Refusal } | null>(null);
  useLayoutEffect(() => {
    if (refused !== null) place(refused.refusal);
  }, [refused]);
  const refuse = (refusal: Refusal) => setRefused({ refusal });

  async function run(action: () => Promise<Answer> | Answer) {
    methods.clearErrors();
    try {
      const answer = await action();
      if (answer !== null) refuse(answer);
    } catch (error) {
      refuse(refusalOf(error));
    }
  }

  const send = methods.handleSubmit(
    (sent) => {
      const submitted = methods.getValues();
      const edited = new Set(Object.keys(onlyChanged(values, submitted)));
      return run(async () => {
        const answer = await onSubmit(sent, { entered: submitted, changed: pick(sent, edited) });
        if (answer === null) onDone?.();
        return answer;
      });
    },
    (errors) => refuse(problemsIn(errors)),
  );

  return {
    ...BOUND_FIELDS,
    entered,
    isDirty: Object.keys(onlyChanged(values, entered)).length > 0,
    isSubmitting: methods.formState.isSubmitting,
    enter(changes) {
      methods.reset({ ...methods.getValues(), ...changes }, { keepErrors: true });
    },
    discard: () => methods.reset(latest.current),
    run,
    async submit(event) {
      event?.preventDefault();
      // A form in a dialog of this one is submitted by itself.
      event?.stopPropagation();
      if (isRunning.current) return;
      isRunning.current = true;
      await send().finally(() => {
        isRunning.current = false;
      });
    },
    methods,
    inSight,
    refusals,
  };
}

function pick<Values extends object>(values: Values, names: ReadonlySet<string>): Partial<Values> {
  const picked: Partial<Values> = {};
  for (const name in values) if (names.has(name)) picked[name] = values[name];
  return picked;
}

/** Lets the fields that were not edited follow the stored values. */
function useStoredValues<Entered extends FieldValues, Sent>(methods: UseFormReturn<Entered, unknown, Sent>, stored: Entered) {
  const [before, setBefore] = useState(stored);
  const follow = useEffectEvent(() => {
    const edited = onlyChanged(before, methods.getValues());
    methods.reset({ ...stored, ...edited }, { keepErrors: true, keepIsSubmitted: true });
    setBefore(stored);
  });
  const content = superjson.stringify(stored);
  useEffect(() => {
    if (content !== superjson.stringify(before)) follow();
  }, [content, before]);
}
