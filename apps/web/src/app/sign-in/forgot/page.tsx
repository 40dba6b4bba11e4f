import type { Metadata } from 'next';
import { SignInFrame } from '../_components/sign-in-frame.tsx';
import { ForgotForm } from './forgot-form.tsx';

export const metadata: Metadata = { title: 'Forgot your password' };

export default function ForgotPage() {
  return (
    <SignInFrame>
      <ForgotForm />
    </SignInFrame>
  );
}
