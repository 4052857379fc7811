import { mountScreen } from '../../widgets/mount-screen.js';
import { App } from './app.js';
import './person.css';

mountScreen('person', App);
