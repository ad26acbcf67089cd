/** What every page of both applications stands in: router, data, policy of the components, messages. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { createQueryClient } from './api/queries.ts';
import { Toasts } from './kit/toast.tsx';

function Providers({ base, children }: { readonly base: string; readonly children: ReactNode }) {
  const [client] = useState(createQueryClient);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <BrowserRouter basename={base}>{children}</BrowserRouter>
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  );
}

/** @param base path of the application */
export function mount(base: string, content: ReactNode): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root.');
  createRoot(root).render(
    <StrictMode>
      <Providers base={base}>{content}</Providers>
    </StrictMode>,
  );
}
