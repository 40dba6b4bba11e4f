'use client';

import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { type FieldValues, FormProvider, useFormContext, useFormState } from 'react-hook-form';
import { Button, type ButtonProps } from '#/components/button/button.tsx';
import { DialogActions, useUnsavedInDialog } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { FieldsInSightContext } from './bound-fields.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import type { FormState } from './use-form.ts';

const FIRST_WRONG = '[aria-invalid="true"], [data-wrong="true"] input';

/**
 * The element around the fields of a form: Enter submits it, the first wrong field has the focus after a submission, and closing
 * the dialog around it or leaving the page asks first while something is entered. `warns` is off where nothing would be lost.
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
  const own = useRef<HTMLFormElement>(null);
  const element = ref ?? own;
  const isUnsaved = warns && form.isDirty;
  const isInDialog = useUnsavedInDialog(isUnsaved);
  // Before anything else is typed: the focus must not move under a person's hands.
  useLayoutEffect(() => {
    if (form.refusals > 0) element.current?.querySelector<HTMLElement>(FIRST_WRONG)?.focus();
  }, [form.refusals, element]);
  return (
    <FormProvider {...form.methods}>
      <FieldsInSightContext value={form.inSight}>
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
      </FieldsInSightContext>
      <LeaveGuard isUnsaved={isUnsaved} asks={!isInDialog} />
    </FormProvider>
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

/** The end of a form in a dialog: why it was refused, cancelling and the action; `others` are further ways out after it. */
export function FormActions({
  action,
  variant = 'accent',
  disabled = false,
  onCancel,
  others,
}: {
  action: string;
  variant?: 'accent' | 'danger';
  disabled?: boolean;
  onCancel?: () => void;
  others?: ReactNode;
}) {
  return (
    <>
      <FormRefusal />
      <DialogActions {...(onCancel !== undefined && { onCancel })}>
        <SubmitButton variant={variant} disabled={disabled}>
          {action}
        </SubmitButton>
        {others}
      </DialogActions>
    </>
  );
}
