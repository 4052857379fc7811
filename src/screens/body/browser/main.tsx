import { mountScreen } from '../../widgets/mount-screen.js';
import { App } from './app.js';
import './body.css';

// The server's picture has a fixed width. The script draws the picture again in its place.
document.getElementById('body-screen')?.replaceChildren();
mountScreen('body-screen', App);
