import { mountScreen } from '../../widgets/mount-screen.js';
import { App } from './app.js';
import './world.css';

mountScreen('world', App);
