/** The pages below `/console/conversations`: the list of threads beside the open one. */
import { Route, Routes, useParams } from 'react-router';
import './conversations.css';
import { Conversation } from './conversation.tsx';
import { NewMessage } from './new-message.tsx';
import { ThreadList } from './thread-list.tsx';

export function Conversations() {
  return (
    <Routes>
      <Route path="new" element={<NewMessage />} />
      <Route path=":threadId?" element={<Panes />} />
    </Routes>
  );
}

function Panes() {
  const { threadId } = useParams();
  return (
    <div className={threadId ? 'panes is-open' : 'panes'}>
      <ThreadList openId={threadId} />
      <div className="pane">
        {threadId ? (
          <Conversation key={threadId} threadId={threadId} />
        ) : (
          <p className="pane-hint soft">
            Open a conversation. Move through the list with <kbd>j</kbd> and <kbd>k</kbd>.
          </p>
        )}
      </div>
    </div>
  );
}
