'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, type RefObject, use, useLayoutEffect, useRef } from 'react';
import { type FieldValues, FormProvider, useFormContext, useFormState } from 'react-hook-form';
import { Button, type ButtonProps } from '../components/button/button.tsx';
import { Refusal } from '../components/page/refusal.tsx';
import { LeaveGuardContext, useLeaveGuard, useReportUnsaved } from '../leaving/leave-guard.tsx';
import { useUnsaved } from '../leaving/unsaved.ts';
import { FieldsInSightContext } from './bound-fields.tsx';
import type { FormState } from './use-form.ts';

/** Loaded once something is entered: it must be there when the connection is not. */
const LeaveDialog = dynamic(() => import('../leaving/leave-dialog.tsx').then((module) => module.LeaveDialog));

const FIRST_WRONG = '[aria-invalid="true"], [data-wrong="true"] input';

/**
 * The element around the fields of a form: Enter submits it, the first wrong field has the focus after a submission, and leaving it
 * asks first while something is entered: by Cancel, by a link, by the browser, by closing the dialog or the panel around it. `warns`
 * is off where nothing would be lost.
 */
export function Form<Entered extends FieldValues, Sent>({
  form,
  className,
  label,
  labelledBy,
  warns = true,
  ref,
  children,
}: {
  form: FormState<Entered, Sent>;
  className?: string | undefined;
  label?: string;
  labelledBy?: string;
  warns?: boolean;
  ref?: RefObject<HTMLFormElement | null>;
  children: ReactNode;
}) {
  const unnamed = useRef<HTMLFormElement>(null);
  const element = ref ?? unnamed;
  // Before anything else is typed: the focus must not move under a person's hands.
  useLayoutEffect(() => {
    if (form.refusals > 0) element.current?.querySelector<HTMLElement>(FIRST_WRONG)?.focus();
  }, [form.refusals, element]);
  return (
    <FormProvider {...form.methods}>
      <FieldsInSightContext value={form.inSight}>
        <AsksBeforeLoss of={warns && form.isDirty}>
          <form
            ref={element}
            // Before the page's script came, nothing entered must end up in the address.
            method="post"
            noValidate
            className={className}
            style={className === undefined ? { display: 'contents' } : undefined}
            aria-label={label}
            aria-labelledby={labelledBy}
            onSubmit={(event) => void form.submit(event)}
          >
            {children}
          </form>
        </AsksBeforeLoss>
      </FieldsInSightContext>
    </FormProvider>
  );
}

/**
 * Asks before something entered in it is lost, while there is something: by the dialog or panel around, else by a question of its own. For
 * forms that are not {@link Form}s.
 */
export function AsksBeforeLoss({ of: isUnsaved, children }: { of: boolean; children: ReactNode }) {
  const around = use(LeaveGuardContext);
  const own = useLeaveGuard();
  const guard = around ?? own.guard;
  useUnsaved(isUnsaved);
  useReportUnsaved(guard, isUnsaved);
  return (
    <>
      <LeaveGuardContext value={guard}>{children}</LeaveGuardContext>
      {around === null && isUnsaved && <LeaveDialog question={own} />}
    </>
  );
}

/** Why the form as a whole was refused; `small` for a form of one line, where it takes no place while there is nothing to say. */
export function FormRefusal({ small = false }: { small?: boolean }) {
  const { errors } = useFormState();
  const message = errors.root?.refused?.message ?? null;
  return small && message === null ? null : <Refusal message={message} />;
}

/** The button that submits the form around; loading until the answer has come. */
export function SubmitButton(props: Omit<ButtonProps, 'type' | 'loading' | 'onClick'>) {
  const { isSubmitting } = useFormContext().formState;
  return <Button variant="accent" {...props} type="submit" loading={isSubmitting} />;
}
