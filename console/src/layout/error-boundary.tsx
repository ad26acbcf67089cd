/** Shows a page's fault in place of the page, with the navigation left in place. */
import { Component, type ReactNode } from 'react';
import { ProblemNotice } from '../kit/problem-notice.tsx';

interface State {
  readonly error: unknown;
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return (
      <div className="page">
        <ProblemNotice error={this.state.error} />
      </div>
    );
  }
}
