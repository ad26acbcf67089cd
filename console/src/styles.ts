/** Styles of both applications, in this order. */
import '../../lib/site/tokens.css';
import './kit/base.css';
import './kit/kit.css';
import './kit/data.css';
import './layout/layout.css';
